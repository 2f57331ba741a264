// A panel that stands on a page, for what is done to it under the pointer.
#pragma once

#include "app/figure/scene.h"

namespace orrery::gui {

/// 400 × 200 points from (100, 50) on, which show 0 to 10 and 0 to 5.
inline figure::PanelFrame frame(figure::Scale x = {}, figure::Scale y = {}, figure::Range xs = {0, 10},
                                figure::Range ys = {0, 5}) {
  figure::PanelFrame f;
  f.plot = {100, 50, 400, 200};
  f.x = f.whole_x = xs;
  f.y = f.whole_y = ys;
  f.x_scale = x;
  f.y_scale = y;
  return f;
}

// One rounding in each of the few steps of a linear map.
inline constexpr double exact = 1e-12;

}  // namespace orrery::gui
