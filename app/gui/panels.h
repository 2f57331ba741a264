// The parts of the window, each a function or a small struct with the state that only it needs.
#pragma once

#include <string>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/figure_view.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// What the menus ask of the window itself.
struct WindowWishes {
  bool close = false;
  int zoom_steps = 0;  ///< larger or smaller interface
  bool zoom_reset = false;
  bool copy_numbers = false;
  bool search = false;  ///< the keyboard goes to the list of studies
};

/// All studies by topic, or those that speak of what was typed.
class StudyList {
 public:
  void draw(App&, Ui&);
  /// The search field takes the keyboard in the next frame.
  void focus() { wanted_ = true; }

 private:
  void search(App&, Ui&);
  void row(App&, Ui&, const study::Study&);
  bool wanted_ = false;
  std::string typed_, searched_;
  std::vector<const study::Study*> found_;
  const study::Study* seen_ = nullptr;  // the one that was open in the last frame
};

/// Sliders, segments, switches, vectors: one row for each declared parameter.
class ParameterPanel {
 public:
  void draw(App&, Ui&);

 private:
  void row(App&, Ui&, const parameter::Parameter&);
  void slider(App&, Ui&, const parameter::Parameter&);
  void choice(App&, Ui&, const parameter::Parameter&);
  void vector(App&, Ui&, const parameter::Parameter&);
  void file(App&, Ui&, const parameter::Parameter&, ImVec2 at, float width);
  void value_label(App&, Ui&, const parameter::Parameter&, float right, float top, float height);
  bool field(App&, Ui&, const parameter::Parameter&, ImVec2 at, float width);
  void edit(const App&, const parameter::Parameter&);

  std::string editing_;  // the parameter whose value is being typed
  bool focus_ = false;   // the field must take the keyboard in this frame
  std::string typed_;
  std::string turning_;      // the slider under the mouse
  parameter::Value before_;  // its value before the click, for a double click that only wanted to type
};

/// Formula, words, source, things to try, checks.
void about_section(App&, Ui&);
void tries_section(App&, Ui&);
void checks_section(const App&, Ui&);

/// The tables behind the figure.
class NumbersSection {
 public:
  void draw(App&, Ui&);
  /// The table that is shown, to the clipboard.
  void copy(App&) const;

 private:
  const figure::Table* shown(const App&) const;
  std::string chosen_;  // a table by name
};

class ExportPopup {
 public:
  void open() { wanted_ = true; }
  void draw(App&, Ui&);

 private:
  void fields(App&, Ui&);
  void target(App&, Ui&);
  bool wanted_ = false;
  std::string error_;
};

class TopBar {
 public:
  void draw(App&, Ui&, ExportPopup&, WindowWishes&);
  /// Keys that mean the same everywhere, unless somebody types.
  void keys(App&, const Ui&, ExportPopup&, WindowWishes&);

 private:
  void menus(App&, Ui&, ExportPopup&, WindowWishes&);
  void open_popup(App&, Ui&);
  void help_popup(Ui&);
  bool opening_ = false, helping_ = false;
  std::string path_;
};

void status_bar(const App&, Ui&, const FigureView&, double frame_seconds);

}  // namespace orrery::gui
