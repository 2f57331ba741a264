#include "app/figure/ticks.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "app/figure/extended_wilkinson.h"

namespace orrery::figure {

namespace {

constexpr double largest_multiple = 1e15;  // beyond, integers no longer say where a tick is
constexpr double slack = 1e-10;            // of the range, for ends that are ticks but for rounding

/// digits · 10^exp10 as the double nearest to it, while the power of ten is exact.
double decimal(double digits, int exp10) {
  return exp10 < 0 ? digits / std::pow(10.0, -exp10) : digits * std::pow(10.0, exp10);
}

/// The multiples of `stride` among the integers of [lo, hi].
TickSet multiples(double lo, double hi, std::int64_t stride) {
  TickSet t;
  if (std::max(std::abs(lo), std::abs(hi)) > largest_multiple) return t;
  const double step = double(stride), eps = slack * (hi - lo);
  const double first = std::ceil((lo - eps) / step), last = std::floor((hi + eps) / step);
  t.stride = stride;
  t.first = std::int64_t(first) * stride;
  t.count = last >= first ? int(std::min(last - first + 1, 1e4)) : 0;
  return t;
}

/// How many multiples of `step` lie in the range.
double multiples_in(Range r, double step) {
  return std::floor(r.hi / step) - std::ceil(r.lo / step) + 1;
}

TickSet linear_ticks(Range range, int target, bool integers) {
  TickSet t;
  if (const auto found = extended_wilkinson(range, target, integers)) {
    t.first = found->first;
    t.stride = found->stride;
    t.count = found->count;
    t.exp10 = found->exp10;
    return t;
  }
  if (integers) t = multiples(range.lo, range.hi, 1);  // a single one perhaps
  return t.count <= target + 1 ? t : TickSet{};
}

/// 0 64 128 192 256: the smallest power of two that gives about `target` multiples.
TickSet powers_of_two_ticks(Range range, int target) {
  int power = std::clamp(int(std::floor(std::log2(range.length() / (target + 1)))), 0, 50);
  while (power < 50 && multiples_in(range, std::exp2(power)) > target + 1) ++power;
  const TickSet t = multiples(range.lo, range.hi, std::int64_t{1} << power);
  return t.count >= 2 ? t : linear_ticks(range, target, true);
}

/// Multiples of π/8, π/4, π/2, π and then of 2π, 5π, 10π …
TickSet pi_ticks(Range range, int target) {
  if (std::max(std::abs(range.lo), std::abs(range.hi)) > largest_multiple)
    return linear_ticks(range, target, false);
  for (const int denominator : {8, 4, 2, 1}) {
    const double unit = std::numbers::pi / denominator;
    if (multiples_in(range, unit) > target + 1) continue;
    TickSet t = multiples(range.lo / unit, range.hi / unit, 1);
    t.unit = unit;
    if (t.count >= 3) return t;
    break;
  }
  TickSet t = linear_ticks({range.lo / std::numbers::pi, range.hi / std::numbers::pi}, target, true);
  if (t.count < 2) return linear_ticks(range, target, false);
  t.unit = std::numbers::pi;
  return t;
}

/// Steps that divide a turn, down to one degree; beyond a few turns and below a degree as plain numbers.
TickSet degree_ticks(Range range, int target) {
  const Range degrees{range.lo / degree, range.hi / degree};
  TickSet t;
  for (const int step : {1, 2, 5, 10, 15, 30, 45, 60, 90, 180, 360, 720}) {
    if (multiples_in(degrees, step) > target + 1) continue;
    t = multiples(degrees.lo, degrees.hi, step);
    break;
  }
  if (t.count < 2) t = linear_ticks(degrees, target, false);
  t.unit = degree;
  return t;
}

/// Some digits times each power of ten, as decimals: 0.2 0.5 1 2 5.
TickSet digits_of_decades(Range range, std::initializer_list<int> digits) {
  const int lowest = int(std::floor(std::log10(range.lo))), highest = int(std::ceil(std::log10(range.hi)));
  TickSet t;
  t.exp10 = lowest;
  std::int64_t power = 1;
  for (int decade = lowest; decade <= highest; ++decade, power *= 10)
    for (const int digit : digits) {
      const double value = decimal(double(digit * power), lowest);
      if (value >= range.lo * (1 - slack) && value <= range.hi * (1 + slack))
        t.uneven.push_back(digit * power);
    }
  t.count = int(t.uneven.size());
  return t;
}

/// Less than two powers: equal steps would crowd at the upper end of what is nearly two decades, and are right for what is
/// no longer than a few times its beginning.
TickSet within_decades(const Scale& scale, Range range, int target, bool whole) {
  constexpr double few = 5;
  const int fewest = range.hi > few * range.lo ? 2 : 3;
  if (scale.base() == 10) {
    const TickSet three = digits_of_decades(range, {1, 2, 5}), two = digits_of_decades(range, {1, 3});
    const auto fits = [&](const TickSet& t, int least) { return t.count >= least && t.count <= target + 1; };
    if (fits(three, 3)) return three;
    if (fits(two, fewest)) return two;
    if (fits(three, fewest)) return three;
  }
  return linear_ticks(range, target, whole);
}

/// 1 2 3 … 10, and then what people count in: 15 20 30 50 100 …
std::int64_t next_stride(std::int64_t stride) {
  if (stride < 6) return stride + 1;
  std::int64_t power = 1;
  while (stride >= 10 * power) power *= 10;
  for (const std::int64_t tenths : {15, 20, 30, 50, 80, 100})
    if (tenths * power / 10 > stride) return tenths * power / 10;
  return 10 * power;
}

TickSet log_ticks(const Scale& scale, Range range, int target, bool whole) {
  const double base = std::log(scale.base());
  const double lo = std::log(range.lo) / base, hi = std::log(range.hi) / base;
  TickSet before;
  for (std::int64_t stride = 1;; stride = next_stride(stride)) {
    TickSet t = multiples(lo, hi, stride);
    t.scale = scale;
    if (t.count <= target + 1) {
      if (t.count >= 3 || (t.count == 2 && stride == 1)) return t;
      // Too few are left: as many as fit, even if that is more than asked for.
      return stride > 1 ? before : within_decades(scale, range, target, whole);
    }
    before = std::move(t);
  }
}

/// Zero, and powers of ten from about the linear width outwards.
TickSet symlog_ticks(const Scale& scale, Range range, int target) {
  const int nearest = int(std::ceil(std::log10(scale.linear_width()) - 1e-9));
  // k counts decades from zero outwards: the largest |k| whose power is inside.
  const auto reach = [&](double end) { return std::floor(std::log10(end) + 1e-9) - nearest + 1; };
  const double width = std::pow(10.0, nearest);
  // Between zero and the nearest power there is no tick.
  const double lo =
      range.lo <= -width ? -reach(-range.lo) : (range.lo <= 0 ? 0 : std::max(reach(range.lo) + 1, 1.0));
  const double hi =
      range.hi >= width ? reach(range.hi) : (range.hi >= 0 ? 0 : std::min(-reach(-range.hi) - 1, -1.0));
  for (std::int64_t stride = 1; hi > lo; ++stride) {
    TickSet t = multiples(lo, hi, stride);
    if (t.count > target + 1) continue;
    t.scale = scale;
    t.exp10 = nearest;
    if (t.count >= 3) return t;
    break;
  }
  return linear_ticks(range, target, false);
}

}  // namespace

double TickSet::value(int i) const {
  const std::int64_t k = numerator(i);
  switch (scale.kind()) {
    case Scale::Kind::linear:
      return unit == 1 ? decimal(double(k), exp10) : decimal(double(k), exp10) * unit;
    case Scale::Kind::log:
      return std::pow(scale.base(), double(k));
    case Scale::Kind::symlog:
      break;
  }
  if (k == 0) return 0;
  return std::copysign(decimal(1, exp10 + int(std::abs(k)) - 1), double(k));
}

TickSet locate_ticks(const Scale& scale, Range range, int target, TickHint hint) {
  target = std::max(target, 2);
  if (!std::isfinite(range.lo) || !std::isfinite(range.hi) || !(range.lo < range.hi) ||
      !std::isfinite(range.length()))
    return {};
  if (scale.kind() == Scale::Kind::log)
    return range.lo > 0 ? log_ticks(scale, range, target, hint == TickHint::integers) : TickSet{};
  if (scale.kind() == Scale::Kind::symlog) return symlog_ticks(scale, range, target);
  switch (hint) {
    case TickHint::integers:
      return linear_ticks(range, target, true);
    case TickHint::powers_of_two:
      return powers_of_two_ticks(range, target);
    case TickHint::pi:
      return pi_ticks(range, target);
    case TickHint::degrees:
      return degree_ticks(range, target);
    case TickHint::none:
      break;
  }
  return linear_ticks(range, target, false);
}

}  // namespace orrery::figure
