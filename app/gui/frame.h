// One frame of the whole window: panes side by side, and the panels in them.
#pragma once

#include "app/gui/panels.h"

namespace orrery::gui {

class Frame {
 public:
  /// Between ImGui's NewFrame and Render; `frame_seconds` is what the last frame cost, for the status line.
  WindowWishes draw(App&, Ui&, double frame_seconds);
  const FigureView& figure() const { return figure_; }

 private:
  void figure_pane(App&, Ui&);
  void inspector(App&, Ui&);

  TopBar top_bar_;
  StudyList studies_;
  ParameterPanel parameters_;
  NumbersSection numbers_;
  FigureView figure_;
  ExportPopup exporting_;
  bool fonts_said_ = false;
};

}  // namespace orrery::gui
