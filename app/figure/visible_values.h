// The numbers of a panel that are in sight, as a spreadsheet takes them: tabs, a head line, every digit.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// Lines, points, stems, bars and the like: one column of x, and one for each series that is shown and has values, blank
/// where it has none there. A heatmap: its cells, under a line of x and behind a column of y. Empty where nothing is in
/// sight. `panel` is the place in the figure; `plain` sets a label that may hold TeX in plain letters. Throws
/// InvalidArgument where more cells are in sight than a spreadsheet holds.
std::string visible_values(const Figure&, const PanelFrame&, int panel, const View&,
                           const std::function<std::string(std::string_view)>& plain);

}  // namespace orrery::figure
