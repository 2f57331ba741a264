// Where the panels of a figure stand on a page: as the figure has them, or as a page needs it that has no room for that.
#pragma once

#include <algorithm>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

/// Room around a plot for its axes, titles and colour bar.
struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// On each side what the wider of both leaves free.
inline Margins larger(const Margins& a, const Margins& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

struct Arrangement {
  std::vector<Cell> cells;  ///< one per panel
  std::vector<double> row_weights, col_weights;
};

Arrangement own_arrangement(const Figure&);

/// Whether it has two sides, whose panels stand beside each other in pairs.
bool has_pairs(const Figure&);

/// The panels of no higher rank than this, in the order of the figure, so many side by side; those of one pair one after the
/// other. Rows and columns keep the weights of what stands in them.
Arrangement in_columns(const Figure&, int columns, int highest_rank);

/// The ranks of a figure's panels, each once, the highest first.
std::vector<int> ranks_of(const Figure&);

}  // namespace orrery::figure
