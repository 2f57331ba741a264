// How sharply the window is painted: as its display is, unless that takes long and the picture is one of many.
#pragma once

#include <algorithm>

namespace orrery::gui {

/// What may make the next picture one of many.
struct Moves {
  bool plays = false;     ///< something runs by itself
  bool in_steps = false;  ///< but stands for a second between two steps: each of them is looked at
  bool handled = false;   ///< it is dragged, or was turned by the wheel a moment ago

  bool any() const { return handled || (plays && !in_steps); }
};

class Sharpness {
 public:
  /// A frame that takes longer is felt when things move (a display of 4K, painted by the processor).
  static constexpr double longest_frame = 0.05;  // seconds
  /// The first frames after a start, which make fonts, shaders and textures, say nothing of those after them.
  static constexpr int first_frames = 4;
  /// While things move, one frame is sharp so many seconds after a slow sharp one, to learn whether it fits by now: at first,
  /// and at the most, as each one that is slow again doubles the wait.
  static constexpr double first_wait = 1, longest_wait = 8;

  /// Whether the next frame, at that time, is painted at half the resolution. What rests is always sharp.
  bool coarse(bool moving, double now) const { return moving && wait_ > 0 && now < sharp_at_ + wait_; }
  /// A frame was painted, was ready at that time, and took so long.
  void painted(bool coarse, double seconds, double now) {
    if (coarse) return;
    if (begun_ < first_frames) {
      ++begun_;
      return;
    }
    const bool tried = now >= sharp_at_ + wait_;
    if (seconds <= longest_frame)
      wait_ = 0;
    else if (wait_ == 0)
      wait_ = first_wait;
    else if (tried)
      wait_ = std::min(2 * wait_, longest_wait);
    sharp_at_ = now;
  }

 private:
  int begun_ = 0;        // how many of the first frames there were
  double wait_ = 0;      // seconds from a slow sharp frame to the next while things move; 0: they are quick
  double sharp_at_ = 0;  // when the last sharp frame was ready
};

}  // namespace orrery::gui
