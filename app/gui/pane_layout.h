// How the window's width is shared between the list, the figure and the inspector: the figure never has less than half
// of it, the inspector gives way first, then the list goes and opens over the figure when it is asked for.
#pragma once

#include "app/gui/document.h"
#include "core/tensor/complaint.h"

namespace orrery::gui {

struct PaneRange {
  float least, most;
};
inline constexpr PaneRange list_range{190, 420}, inspector_range{260, 640};

/// In lengths of the design, like Panes.
struct PaneLayout {
  float list = 0, inspector = 0;  ///< 0: not beside the figure
};
PaneLayout arrange(const Panes&, float width);
/// Whether there is room for the list beside the figure, shown or not.
bool list_fits(const Panes&, float width);

/// The scale of the interface for a window of that size in layout units: what is wanted, but so that the least window that
/// can be worked with fits into it; in steps of 1/20, so that letters are not made anew for nothing.
float fitting_scale(double wanted, int width, int height);
/// What is to be said where that is less than what was asked for, `zoom` times the natural scale; empty: nothing.
Phrase too_large(double zoom, double natural, int width, int height);

}  // namespace orrery::gui
