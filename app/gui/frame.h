// One frame of the whole window: panes side by side, and the panels in them.
#pragma once

#include "app/gui/panels.h"

namespace orrery::gui {

class Frame {
 public:
  /// Between ImGui's NewFrame and Render; `frame_seconds` is what the last frame cost, for the status line.
  WindowWishes draw(App&, Ui&, double frame_seconds);
  const FigureView& figure() const { return figure_; }
  /// Which keys do what; the window reads a person's own file into it.
  KeyMap key_map;

 private:
  void figure_pane(App&, Ui&);
  void inspector(App&, Ui&);
  void end_gesture(App&, const Ui&);
  void popups(App&, Ui&, WindowWishes&);
  void answer_keys(App&, Ui&, WindowWishes&);

  StudyList studies_;
  ParameterPanel parameters_;
  NumbersSection numbers_;
  FigureView figure_;
  ExportPopup exporting_;
  OpenPopup opening_;
  KeysSheet sheet_;
  double last_key_ = -1e9;
  std::string_view popup_;  // wished for by a key: opens in the next frame
  bool fonts_said_ = false;
};

}  // namespace orrery::gui
