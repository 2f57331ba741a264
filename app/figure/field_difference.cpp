// B − A of values over a plane.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/figure/field.h"
#include "app/figure/mark_difference.h"

namespace orrery::figure {

namespace {

/// Masked on both sides stays masked; seen on one side only there is no difference.
float minus(float b, float a, double period) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (a == b) return a == -infinity ? a : 0;
  if (std::isinf(a) || std::isinf(b)) return std::numeric_limits<float>::quiet_NaN();
  const double d = double(b) - double(a);
  return float(period > 0 ? std::remainder(d, period) : d);
}

Grid minus(const Grid& b, const Grid& a, double period) {
  Grid out{b.rows, b.cols, {}};
  out.values.resize(std::min(a.values.size(), b.values.size()));
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = minus(b.values[i], a.values[i], period);
  return out;
}

bool not_empty(Range r) {
  return r.lo < r.hi;
}

Range common(Range a, Range b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

/// Cells as large as they were: how many of `all` lie in `part`.
int cells_in(Range part, Range all, int cells) {
  return std::max(1, int(std::lround(cells * part.length() / all.length())));
}

/// Zero is neutral, and as far up as down.
ColorScale difference_colors(const ColorScale& b) {
  ColorScale colors = b;
  colors.map = ColorMap::diverging;
  colors.centre = 0;
  colors.range.reset();
  colors.group = 0;
  return colors;
}

template <class M>  // Heatmap or Contours
MarkDifference of_fields(const M& a, const M& b) {
  const Field of_a = field_of(a), of_b = field_of(b);
  if (!of_a.drawable() || !of_b.drawable()) return {{}, "one of A and B has no values"};
  const Range x = common(a.x, b.x), y = common(a.y, b.y);
  if (!not_empty(x) || !not_empty(y)) return {{}, "A and B cover no common area"};
  const bool cyclic = a.colors.map == ColorMap::cyclic && b.colors.map == ColorMap::cyclic;
  const double period = cyclic && b.colors.range ? b.colors.range->length() : 0;

  M out = b;
  out.colors = difference_colors(b.colors);
  const bool same_area = a.x == b.x && a.y == b.y;
  if (a.grid && b.grid && same_area && a.grid->rows == b.grid->rows && a.grid->cols == b.grid->cols) {
    out.grid = std::make_shared<Grid>(minus(*b.grid, *a.grid, period));
    return {std::move(out), {}};
  }
  const int cols_a = cells_in(x, a.x, of_a.cols), cols_b = cells_in(x, b.x, of_b.cols),
            rows_a = cells_in(y, a.y, of_a.rows), rows_b = cells_in(y, b.y, of_b.rows);
  if (cols_a != cols_b || rows_a != rows_b) {
    const auto shape = [](int rows, int cols) { return std::to_string(rows) + " × " + std::to_string(cols); };
    return {{}, "A has " + shape(rows_a, cols_a) + " cells and B " + shape(rows_b, cols_b)};
  }
  out.x = x;
  out.y = y;
  out.grid.reset();
  out.full_cols = cols_b;
  out.full_rows = rows_b;
  out.sampler = [a, b, period](Range over_x, Range over_y, int cols, int rows) {
    return minus(field_of(b).sample(over_x, over_y, cols, rows),
                 field_of(a).sample(over_x, over_y, cols, rows), period);
  };
  return {std::move(out), same_area ? "" : "only the area that A and B have in common"};
}

}  // namespace

MarkDifference difference(const Heatmap& a, const Heatmap& b) {
  return of_fields(a, b);
}

MarkDifference difference(const Contours& a, const Contours& b) {
  MarkDifference out = of_fields(a, b);
  if (out.mark) std::get<Contours>(*out.mark).levels.clear();
  return out;
}

}  // namespace orrery::figure
