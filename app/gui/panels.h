// The parts of the window, each a function or a small struct with the state that only it needs.
#pragma once

#include <string>
#include <vector>

#include "app/gui/actions.h"
#include "app/gui/app.h"
#include "app/gui/figure_view.h"
#include "app/gui/ui.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

/// What the menus ask of the window itself.
struct WindowWishes {
  bool close = false;
  int zoom_steps = 0;  ///< larger or smaller interface
  bool zoom_reset = false;
  bool copy_numbers = false;
  bool search = false;  ///< the keyboard goes to the list of studies
  FigureWish figure = FigureWish::none;
  /// One that is to open: "open", "export", "keys", "palette" … The popup of that name takes it.
  std::string_view popup;
  bool take_popup(std::string_view name) {
    if (popup != name) return false;
    popup = {};
    return true;
  }
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
  void edit(const App&, Ui&, const parameter::Parameter&);
  void edit_by_keys(const App&, Ui&, const parameter::Parameter&, const Press& control);

  std::string editing_;  // the parameter whose value is being typed
  bool focus_ = false;   // the field must take the keyboard in this frame
  bool typing_ = false;  // the field had it in the last frame
  std::string typed_;
  std::string begun_;        // typed before the field was there
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
  void scroll_by_keys(Ui&, float row);
  std::string chosen_;  // a table by name
  bool scrolls_by_keys_ = false;
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

/// The path of a recipe or a figure, typed.
class OpenPopup {
 public:
  void open() { wanted_ = true; }
  void draw(App&, Ui&);

 private:
  bool wanted_ = false;
  std::string path_;
};

/// Every action with its keys, and what the mouse does.
class KeysSheet {
 public:
  void open() { wanted_ = true; }
  void draw(Ui&, const KeyMap&);

 private:
  bool wanted_ = false;
};

/// The mark, the menus, the device, the theme, Export.
void top_bar(App&, Ui&, const KeyMap&, WindowWishes&);

void status_bar(const App&, Ui&, const FigureView&, double frame_seconds);

}  // namespace orrery::gui
