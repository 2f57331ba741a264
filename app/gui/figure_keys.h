// The figure by the keyboard alone, as far as it must remember: where its crosshair stands, which entry of the legend is
// chosen.
#pragma once

#include <cstdint>

namespace orrery::gui {

struct FigureCursor {
  bool shown = false;               ///< the crosshair
  double across = 0.5, down = 0.5;  ///< where it stands, in shares of the plot: a zoom leaves it there
  int entry = -1;                   ///< of the legend
  bool anywhere() const { return shown || entry >= 0; }
};

/// What becomes of an entry of the legend that is clicked, and of the others.
enum class LegendClick : std::uint8_t { hide_or_show, alone, all };

}  // namespace orrery::gui
