// The parts of the window, each a function or a small struct with the state that only it needs.
#pragma once

#include <string>
#include <vector>

#include "app/gui/actions.h"
#include "app/gui/app.h"
#include "app/gui/figure_view.h"
#include "app/gui/parameter_panel.h"
#include "app/gui/popups.h"
#include "app/gui/study_search.h"
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
  bool toggle_list = false, toggle_inspector = false;
  int pane_steps = 0;          ///< the keyboard goes to the next pane, or to the one before
  std::string_view parameter;  ///< the keyboard goes to its control
  Popup popup = Popup::none;   ///< one that is to open
};

/// All studies by topic, or those that speak of what was typed.
class StudyList {
 public:
  void draw(App&, Ui&);
  /// The search field takes the keyboard in the next frame.
  void focus() { wanted_ = true; }

 private:
  void search(App&, Ui&);
  void row(App&, Ui&, const SearchHit&);
  bool wanted_ = false;
  std::string typed_, searched_;
  language::Language language_ = language::Language::en;
  std::vector<SearchHit> found_;
  const study::Study* seen_ = nullptr;  // the one that was open in the last frame
};

/// Formula, words, source; why it is so; things to try, checks. The formula with the numbers of the settings, or of those
/// before where these led to an error: it grows and shrinks as they change, so it stands below what changes them.
void about_section(App&, Ui&);
void worked_section(App&, Ui&);
void derivation_section(App&, Ui&);
void tries_section(App&, Ui&);
void checks_section(App&, Ui&);

/// The tables behind the figure; a click makes one as large as the window.
class NumbersSection {
 public:
  void draw(App&, Ui&);
  /// The same in a window of their own, where they were asked to be large.
  void draw_large(App&, Ui&);
  /// The table that is shown, to the clipboard.
  void copy(App&) const;

 private:
  const figure::Table* shown(const App&) const;
  /// The pane and the table as large as the window may both be there.
  void choose(App&, Ui&, std::string_view id, float width);
  void body(App&, Ui&, const figure::Table&, const char* name, ImVec2 size);
  void copy_menu(App&, Ui&, const figure::Table&);
  void scroll_by_keys(Ui&, float row);
  std::string chosen_;           // a table by name
  std::string scrolls_by_keys_;  // the one of its two places that has the keyboard
  bool large_wanted_ = false;
  std::size_t row_ = 0, column_ = 0;  // the cell that was clicked last
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

void status_bar(App&, Ui&, const FigureView&, double frame_seconds);

}  // namespace orrery::gui
