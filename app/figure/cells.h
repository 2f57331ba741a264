// Panels into the figure's grid of cells: what stands outside the plots gets the room it measured, plots
// share the rest.
#pragma once

#include <vector>

#include "app/figure/figure.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// Room around a plot for its axes, titles and colour bar.
struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

struct Rooms {
  std::vector<Rect> plots;  ///< one per panel
  bool squeezed = false;    ///< the margins alone need more than there is, and were made smaller
};

/// The room of each panel's plot inside `area`. Panels of one column share their left and right margins,
/// panels of one row their top and bottom ones, so that axes line up. Never negative: where nothing is left
/// the rooms are empty.
Rooms plot_rooms(const Figure&, const Rect& area, const std::vector<Margins>&, double column_gap,
                 double row_gap);

}  // namespace orrery::figure
