// Panels into the figure's grid of cells: what stands outside the plots gets the room it measured, plots
// share the rest.
#pragma once

#include <vector>

#include "app/figure/arrangement.h"
#include "app/figure/scene.h"

namespace orrery::figure {

struct Rooms {
  std::vector<Rect> plots;  ///< one per panel
  bool squeezed = false;    ///< the margins alone need more than there is, and were made smaller
};

/// The room of each panel's plot inside `area`. Panels of one column share their left and right margins,
/// panels of one row their top and bottom ones, so that axes line up. `shapes` has the width over the height that
/// each plot must keep, 0 where it may take any: a row of such plots alone leaves the height it cannot fill to the
/// rows that can. Never negative: where nothing is left the rooms are empty, as they are of panels not on the page.
Rooms plot_rooms(const Arrangement&, const Rect& area, const std::vector<Margins>&,
                 const std::vector<double>& shapes, double column_gap, double row_gap);

}  // namespace orrery::figure
