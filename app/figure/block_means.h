// What a pixel shows that stands for more than one cell of a matrix: the mean of all of them, so that no cell is skipped and
// nothing is seen that is not there.
#pragma once

#include <optional>

#include "app/figure/field.h"
#include "app/figure/scale.h"

namespace orrery::figure {

/// One direction of the picture: its pixels, in order, over a range of the data as a scale divides it.
struct Pixels1D {
  Range range;
  int count = 0;
  const Scale& scale;
};

/// Whether a pixel stands for more than one cell of that direction anywhere.
bool coarser(const Pixels1D&, Range whole, int cells);

/// For every pixel the mean of the cells below it, by their share of its area: a sum over all of them. What is masked (−∞)
/// or not a number has no part in the mean, and is what the pixel shows where it covers more than half. Values on a cyclic
/// map are phases of the period of `phases`: their mean is that of their directions, and none where these cancel out: masked.
/// No more than `most_cells` are asked of a sampler: of a larger part of its matrix, so many that lie evenly in it.
Grid block_means(Field, const Pixels1D& across, const Pixels1D& down, std::optional<Range> phases,
                 double most_cells);

}  // namespace orrery::figure
