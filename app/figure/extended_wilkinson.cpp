#include "app/figure/extended_wilkinson.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::figure {

namespace {

/// Step mantissas from the nicest to the least nice: digits · 10^exp10.
struct Mantissa {
  int digits, exp10;
  double value() const { return exp10 == 0 ? digits : digits / 10.0; }
};
constexpr std::array<Mantissa, 6> mantissas{{{1, 0}, {5, 0}, {2, 0}, {25, -1}, {4, 0}, {3, 0}}};

// The paper's weights. Legibility is always full here.
constexpr double simplicity_weight = 0.25, coverage_weight = 0.2, density_weight = 0.5,
                 legibility_weight = 0.05;

double score(double simplicity, double coverage, double density) {
  return simplicity_weight * simplicity + coverage_weight * coverage + density_weight * density +
         legibility_weight;
}

/// How nice the numbers are: the rank of the mantissa, how many multiples are skipped, whether zero is among
/// them.
double simplicity(int rank, int skip, bool has_zero) {
  return 1 - double(rank) / (mantissas.size() - 1) - skip + (has_zero ? 1 : 0);
}

/// How much of the range the ticks span, as a penalty on the square of what is left at either end (shares of
/// the range).
double coverage(double left, double right) {
  return 1 - 0.5 * (left * left + right * right) / (0.1 * 0.1);
}

/// How close the spacing comes to that of `target` ticks spread over the whole range; `span` is the share
/// they cover.
double density(int count, double span, int target) {
  const double ratio = (count - 1) / span / (target - 1);
  return 2 - std::max(ratio, 1 / ratio);
}

double density_bound(int count, int target) {
  return count >= target ? 2 - double(count - 1) / (target - 1) : 1;
}

}  // namespace

std::optional<DecimalTicks> extended_wilkinson(Range range, int target, bool integers_only) {
  target = std::max(target, 2);
  const double length = range.length();
  constexpr double slack =
      1e-10;  // of the range: an end that is a decimal number to rounding counts as inside
  std::optional<DecimalTicks> best;
  double best_score = -2;
  for (int skip = 1;; ++skip) {
    if (score(simplicity(0, skip, true), 1, 1) < best_score || skip > 16) break;
    for (int rank = 0; rank < int(mantissas.size()); ++rank) {
      const Mantissa q = mantissas[std::size_t(rank)];
      const double nicest = simplicity(rank, skip, true);
      if (score(nicest, 1, 1) < best_score) break;
      for (int count = 2; count <= 4 * target + 8; ++count) {
        if (score(nicest, 1, density_bound(count, target)) < best_score) break;
        const double least_step = length / (count + 1);
        for (int z = int(std::ceil(std::log10(least_step / (skip * q.value()))));; ++z) {
          const int exp10 = z + q.exp10;
          const double unit = q.digits * std::pow(10.0, exp10);  // ticks are multiples of it, `skip` apart
          const double span = skip * unit * (count - 1) / length;
          if (span > 1 + slack) break;
          const double left_over = (1 - span) / 2;
          if (score(nicest, coverage(left_over, left_over), density_bound(count, target)) < best_score) break;
          if (integers_only && exp10 < 0) continue;
          const double lowest = std::ceil((range.lo - slack * length) / unit);
          const double highest = std::floor((range.hi + slack * length) / unit) - double(count - 1) * skip;
          if (!(std::abs(lowest) < 1e14 && std::abs(highest) < 1e14))
            break;  // beyond what a double tells apart
          for (auto start = std::int64_t(lowest); start <= std::int64_t(highest); ++start) {
            const std::int64_t last = start + std::int64_t(count - 1) * skip;
            const bool has_zero = start <= 0 && last >= 0 && start % skip == 0;
            const double left = (double(start) * unit - range.lo) / length;
            const double right = (range.hi - double(last) * unit) / length;
            const double total =
                score(simplicity(rank, skip, has_zero), coverage(left, right), density(count, span, target));
            if (total > best_score) {
              best_score = total;
              best = DecimalTicks{start * q.digits, std::int64_t(skip) * q.digits, count, exp10};
            }
          }
        }
      }
    }
  }
  return best;
}

}  // namespace orrery::figure
