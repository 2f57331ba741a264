#include "app/figure/contour_levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/figure/ticks.h"

namespace orrery::figure {

namespace {

constexpr int most_levels = 64;

}  // namespace

double ContourLevels::inside(std::size_t k) const {
  if (values.empty()) return 0;
  const double step = values.size() > 1 ? (values.back() - values.front()) / double(values.size() - 1)
                                        : std::max(std::abs(values.front()), 1.0) / 2;
  if (k == 0) return values.front() - step / 2;
  if (k >= values.size()) return values.back() + step / 2;
  return std::midpoint(values[k - 1], values[k]);
}

std::size_t ContourLevels::band(double value) const {
  return std::size_t(std::upper_bound(values.begin(), values.end(), value) - values.begin());
}

ContourLevels contour_levels(const Contours& contours, Range range) {
  ContourLevels levels;
  if (contours.levels.empty()) {
    const TickSet ticks = locate_ticks(Scale::linear(), range, std::clamp(contours.count, 2, most_levels));
    const std::vector<std::string> labels = tick_labels(ticks);
    for (int i = 0; i < ticks.count; ++i)
      if (const double v = ticks.value(i); v > range.lo && v < range.hi) {
        levels.values.push_back(v);
        levels.texts.push_back(labels[std::size_t(i)]);
      }
    return levels;
  }
  for (const double v : contours.levels)
    if (std::isfinite(v) && levels.values.size() < most_levels) levels.values.push_back(v);
  std::sort(levels.values.begin(), levels.values.end());
  levels.values.erase(std::unique(levels.values.begin(), levels.values.end()), levels.values.end());
  for (const double v : levels.values) levels.texts.push_back(number_label(v));
  return levels;
}

}  // namespace orrery::figure
