#include "app/figure/field.h"

#include <algorithm>
#include <cmath>

#include "app/figure/data_range.h"

namespace orrery::figure {

namespace {

constexpr int coarse_samples = 64;  // of either side, to find the range of a sampler's values

bool usable(Range r) {
  return std::isfinite(r.lo) && std::isfinite(r.length()) && r.lo < r.hi;
}

}  // namespace

bool whole(const Grid& g) {
  return g.rows > 0 && g.cols > 0 && g.values.size() == std::size_t(g.rows) * std::size_t(g.cols);
}

bool Field::drawable() const {
  return usable(x) && usable(y) && (grid ? whole(*grid) : sampler && cols > 0 && rows > 0);
}

Grid Field::sample(Range over_x, Range over_y, int n, int m) const {
  if (!grid) return (*sampler)(over_x, over_y, n, m);
  const auto nearest = [](Range all, int cells, Range over, int count, int i) {
    const double v = over.lo + (i + 0.5) / count * over.length();
    return std::clamp(int(std::floor((v - all.lo) / all.length() * cells)), 0, cells - 1);
  };
  Grid out{m, n, {}};
  out.values.reserve(std::size_t(n) * std::size_t(m));
  for (int i = 0; i < m; ++i) {
    const auto row = std::size_t(nearest(y, rows, over_y, m, i)) * std::size_t(cols);
    for (int j = 0; j < n; ++j)
      out.values.push_back(grid->values[row + std::size_t(nearest(x, cols, over_x, n, j))]);
  }
  return out;
}

std::optional<Field> field_of(const Mark& mark) {
  return std::visit(
      [](const auto& m) -> std::optional<Field> {
        if constexpr (requires { m.colors; })
          return field_of(m);
        else
          return std::nullopt;
      },
      mark);
}

Range field_range(const Field& field) {
  if (field.grid) return value_range(*field.grid);
  if (!field.drawable()) return {0, 1};
  return value_range((*field.sampler)(field.x, field.y, std::min(field.cols, coarse_samples),
                                      std::min(field.rows, coarse_samples)));
}

}  // namespace orrery::figure
