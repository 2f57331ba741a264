// Axes of one group, across panels: one range, and no numbers said twice.
#pragma once

#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

/// The axes of a panel as they are drawn beside the others: each with its range; without numbers and title where
/// another axis of its group, in line below or to the left, says them.
struct PanelAxes {
  Axis x, y;
};
std::vector<PanelAxes> panel_axes(const Figure&);

}  // namespace orrery::figure
