// The figure by the keyboard alone: which keys are its own, and what it must remember: where its crosshair stands, which entry
// of the legend is chosen.
#pragma once

#include <cstdint>

#include "app/gui/chord.h"
#include "core/tensor/complaint.h"

namespace orrery::gui {

/// What the figure does with that key while it has the keyboard, as a sentence goes on behind the key: "zooms it". Empty:
/// nothing, and the key is left to the actions (actions.h).
Phrase what_figure_does(const Chord&);

struct FigureCursor {
  bool shown = false;               ///< the crosshair
  double across = 0.5, down = 0.5;  ///< where it stands, in shares of the plot: a zoom leaves it there
  int entry = -1;                   ///< of the legend
  bool anywhere() const { return shown || entry >= 0; }
};

/// What becomes of an entry of the legend that is clicked, and of the others.
enum class LegendClick : std::uint8_t { hide_or_show, alone, all };

}  // namespace orrery::gui
