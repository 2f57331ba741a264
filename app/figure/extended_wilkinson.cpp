#include "app/figure/extended_wilkinson.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::figure {

namespace {

/// Step mantissas from the nicest to the least nice: digits · 10^exp10. The paper's, without 3: nobody counts
/// 0.3, 0.6, 0.9.
struct Mantissa {
  int digits, exp10;
};
constexpr std::array<Mantissa, 5> mantissas{{{1, 0}, {5, 0}, {2, 0}, {25, -1}, {4, 0}}};

// The paper's weights.
constexpr double simplicity_weight = 0.25, coverage_weight = 0.2, density_weight = 0.5,
                 legibility_weight = 0.05;

double score(double simplicity, double coverage, double density, double legibility) {
  return simplicity_weight * simplicity + coverage_weight * coverage + density_weight * density +
         legibility_weight * legibility;
}

/// How nice the numbers are: the rank of the mantissa, and whether zero is among them.
double simplicity(int rank, bool has_zero) {
  return (has_zero ? 1 : 0) - double(rank) / (mantissas.size() - 1);
}

/// How much of the range the ticks span, as a penalty on the square of what is left at either end (shares of
/// the range). Ticks inside the range cannot help to leave something: beyond a floor it costs no more.
double coverage(double left, double right) {
  return std::max(-0.5, 1 - 0.5 * (left * left + right * right) / (0.1 * 0.1));
}

/// How close the spacing comes to that of `target` ticks spread over the whole range; `span` is the share
/// they cover.
double density(double count, double span, int target) {
  const double ratio = (count - 1) / span / (target - 1);
  return 2 - std::max(ratio, 1 / ratio);
}

/// A step of 2.5 costs every label a decimal; beyond the point only.
double legibility(const Mantissa& q, int exp10) {
  return q.exp10 < 0 && exp10 < 0 ? 0 : 1;
}

}  // namespace

std::optional<DecimalTicks> extended_wilkinson(Range range, int target, bool integers_only) {
  target = std::max(target, 2);
  const double length = range.length();
  constexpr double slack =
      1e-10;  // of the range: an end that is a decimal number to rounding counts as inside
  std::optional<DecimalTicks> best;
  double best_score = -1e9;
  const int fewest = std::min(target, 3);  // two say little about what lies between them
  const int finest = int(std::floor(std::log10(length / (4 * target)))) - 1;
  const int coarsest = int(std::ceil(std::log10(length)));
  for (int z = finest; z <= coarsest; ++z)
    for (int rank = 0; rank < int(mantissas.size()); ++rank) {
      const Mantissa& q = mantissas[std::size_t(rank)];
      const int exp10 = z + q.exp10;
      if (integers_only && exp10 < 0) continue;
      const double step = q.digits * std::pow(10.0, exp10);
      const double first = std::ceil((range.lo - slack * length) / step);
      const double last = std::floor((range.hi + slack * length) / step);
      const double count = last - first + 1;
      if (count < fewest || count > 4 * target) continue;
      if (!(std::abs(first) < 1e14 && std::abs(last) < 1e14)) continue;  // beyond what a double tells apart
      const double left = (first * step - range.lo) / length, right = (range.hi - last * step) / length;
      const double total = score(simplicity(rank, first <= 0 && last >= 0), coverage(left, right),
                                 density(count, (count - 1) * step / length, target), legibility(q, exp10));
      if (total <= best_score) continue;
      best_score = total;
      best = DecimalTicks{std::int64_t(first) * q.digits, q.digits, int(count), exp10};
    }
  return best;
}

}  // namespace orrery::figure
