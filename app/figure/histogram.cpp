#include "app/figure/histogram.h"

#include <algorithm>
#include <cmath>

namespace orrery::figure {

namespace {

constexpr int most_bins = 512;

/// Linear between order statistics, as most programs define it.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * double(sorted.size() - 1);
  const auto i = std::size_t(at);
  return i + 1 < sorted.size() ? std::lerp(sorted[i], sorted[i + 1], at - double(i)) : sorted.back();
}

/// Freedman and Diaconis, on the unit interval of the scale; Sturges' rule where half of the values are alike.
int bin_count(const std::vector<double>& units) {
  const double n = double(units.size());
  const double width = 2 * (quantile(units, 0.75) - quantile(units, 0.25)) / std::cbrt(n);
  const double count = width > 0 ? std::ceil(1 / width) : std::ceil(std::log2(n) + 1);
  return int(std::clamp(count, 1.0, double(most_bins)));
}

}  // namespace

Histogram histogram(const std::vector<double>& values, const Bins& bins) {
  Histogram out;
  std::vector<double> kept;
  for (const double v : values)
    if (std::isfinite(v) && (bins.scale.kind() != Scale::Kind::log || v > 0) &&
        (!bins.range || (v >= bins.range->lo && v <= bins.range->hi)))
      kept.push_back(v);
  if (kept.empty()) return out;
  std::sort(kept.begin(), kept.end());
  Range range = bins.scale.clamp(bins.range.value_or(Range{kept.front(), kept.back()}));
  if (!(range.lo < range.hi)) {
    const double room = range.lo == 0 ? 0.5 : std::abs(range.lo) / 2;
    range = {range.lo - room, range.lo + room};
  }
  std::vector<double> units;
  for (const double v : kept) units.push_back(bins.scale.unit(v, range));
  const int count = std::clamp(bins.count.value_or(bin_count(units)), 1, most_bins);
  for (int i = 0; i <= count; ++i) out.edges.push_back(bins.scale.invert(double(i) / count, range));
  out.heights.assign(std::size_t(count), 0);
  for (const double v : kept) {  // by the edges themselves: what is said of a bin is what is in it
    const auto above = std::upper_bound(out.edges.begin(), out.edges.end(), v);
    const auto bin = std::clamp<std::ptrdiff_t>(above - out.edges.begin() - 1, 0, count - 1);
    ++out.heights[std::size_t(bin)];
  }
  if (bins.density)
    for (std::size_t i = 0; i < out.heights.size(); ++i)
      out.heights[i] /= double(kept.size()) * (out.edges[i + 1] - out.edges[i]);
  return out;
}

}  // namespace orrery::figure
