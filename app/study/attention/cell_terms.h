// One score of a map, term by term in double; and the handles that say which one.
#pragma once

#include <vector>

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "core/tensor/view.h"

namespace orrery::study {

/// Which cell of a map is worked out.
struct MapCell {
  tensor::Index query = 0, key = 0;
};

/// q_j, k_j, the term that they make, and the sum up to there, which at the end is the dot product.
figure::Table cell_terms(const std::vector<double>& q, const std::vector<double>& k);

/// Two points on the map, one for the row at its right end, one for the column in that row: the parameters `query` and `key`.
/// In a window they are dragged, or put on a cell together by Ctrl and a click.
void add_cell_handles(figure::Panel&, MapCell, double right);

}  // namespace orrery::study
