// Axes of one group, across panels: one range, and no numbers said twice.
#pragma once

#include <vector>

#include "app/figure/figure.h"
#include "app/figure/layout.h"

namespace orrery::figure {

/// The axes of a panel as they are drawn beside the others: each with its range; without numbers and title where
/// another axis of its group, in line below or to the left, says them.
struct PanelAxes {
  Axis x, y;
};
std::vector<PanelAxes> panel_axes(const Figure&);

/// After a person has moved or zoomed a panel: the other axes of its axes' groups show the same.
void follow(const Figure&, int panel, View&);

}  // namespace orrery::figure
