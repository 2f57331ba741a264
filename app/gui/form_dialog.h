// A dialog of rows whose buttons stay in sight: what is too high for the window scrolls above them.
#pragma once

#include <string_view>

#include "app/gui/ui.h"

namespace orrery::gui {

class FormDialog {
 public:
  /// Layout units; the foot is what stands below the rows, without the margin.
  struct Shape {
    float width = 0, rows = 0, foot = 0;
  };
  static float inner_width(const Ui&, float width);
  /// False where it is not open. Else rows may be drawn, then end_rows(), the foot, and end().
  bool begin(Ui&, const char* id, std::string_view heading, const Shape&);
  void end_rows(Ui&);
  void end(Ui&);
  /// The corners of the room that the rows have.
  ImVec2 low() const { return low_; }
  ImVec2 high() const { return high_; }

 private:
  float content_ = 0;  // of the rows, in the last frame
  float foot_ = 0;
  ImVec2 low_, high_;
};

}  // namespace orrery::gui
