// Values over a plane, given as a grid or as a sampler: what heatmaps and contours show.
#pragma once

#include <optional>

#include "app/figure/color_map.h"
#include "app/figure/figure.h"

namespace orrery::figure {

/// A view of a mark's field.
struct Field {
  Range x, y;  ///< the edges of the outermost cells
  const Grid* grid = nullptr;
  const Sampler* sampler = nullptr;  ///< asked when there is no grid
  int cols = 0, rows = 0;            ///< of the whole matrix

  /// Whether there are values at all, over ranges that can be computed with.
  bool drawable() const;
  /// cols × rows values over a part of it; of a grid, the nearest.
  Grid sample(Range over_x, Range over_y, int cols, int rows) const;
};

template <class M>  // Heatmap or Contours
Field field_of(const M& m) {
  Field f{m.x, m.y, m.grid.get(), m.sampler ? &m.sampler : nullptr, m.full_cols, m.full_rows};
  if (m.grid) f.cols = m.grid->cols, f.rows = m.grid->rows;
  return f;
}

/// Of a mark whose nature that is.
std::optional<Field> field_of(const Mark&);

/// The range of a mark's colours where the scale names none: that of its values; a sampler is asked coarsely.
Range field_range(const Field&);

/// Whether a grid has as many values as it says.
bool whole(const Grid&);

}  // namespace orrery::figure
