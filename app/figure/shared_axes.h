// Axes of one group, across panels: one range, and no numbers said twice.
#pragma once

#include <vector>

#include "app/figure/arrangement.h"
#include "app/figure/digest.h"
#include "app/figure/figure.h"
#include "app/figure/layout.h"

namespace orrery::figure {

/// The axes of a panel as they are drawn beside the others: each with its range; without numbers and title where
/// another axis of its group, in line below or to the left, says them. A view may ask for other scales and for grid lines.
struct PanelAxes {
  Axis x, y;
};
std::vector<PanelAxes> panel_axes(const Figure&, const Digest&, const View&, const Arrangement&);
/// As nobody has touched them.
std::vector<PanelAxes> panel_axes(const Figure&);

/// After a person has moved or zoomed a panel, or changed its scales: the other axes of its axes' groups show the same.
void follow(const Figure&, int panel, View&);

}  // namespace orrery::figure
