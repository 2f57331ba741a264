// How sharply the window is painted: as its display is, unless that takes long and the picture is one of many.
#pragma once

namespace orrery::gui {

class Sharpness {
 public:
  /// A frame that takes longer is felt when things move (a display of 4K, painted by the processor).
  static constexpr double longest_frame = 0.05;  // seconds

  /// Whether the next frame is painted at half the resolution. What rests is always sharp.
  bool coarse(bool moving) const { return moving && sharp_cost_ > longest_frame; }
  /// A frame was painted, and took so long.
  void painted(bool coarse, double seconds) {
    if (!coarse) sharp_cost_ = seconds;
  }

 private:
  double sharp_cost_ = 0;  // seconds, of the last sharp frame
};

}  // namespace orrery::gui
