// The numbers of a panel that are in sight, as a spreadsheet takes them: tabs, a head line, every digit.
#pragma once

#include <string>

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// Lines, points, stems, bars and the like: one column of x, and one for each series that is shown, blank where it has no
/// sample there. A heatmap: its cells, under a line of x and behind a column of y. Empty where nothing is in sight.
/// `panel` is the place in the figure. Throws InvalidArgument where more cells are in sight than a spreadsheet holds.
std::string visible_values(const Panel&, const PanelFrame&, int panel, const View&);

}  // namespace orrery::figure
