// Where ticks stand and what they say. A tick is an integer all along; the one division by a power of ten
// comes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "app/figure/scale.h"

namespace orrery::figure {

/// `pi` and `degrees` are for angles in radians: multiples of π, or whole degrees.
enum class TickHint : std::uint8_t { none, integers, powers_of_two, pi, degrees };

inline constexpr double degree = std::numbers::pi / 180;

/// value(i), with k = first + i·stride, or what `uneven` holds: k · 10^exp10 · unit on a linear scale; base^k on a log
/// scale; on a symlog scale 0 for k = 0 and ±10^(exp10 + |k| − 1) for the others. `scale` is that of the ticks: linear
/// where an axis shows too little of a log scale for powers: then ticks are 1, 2, 5, 10, 20 … or equal steps.
struct TickSet {
  std::int64_t first = 0, stride = 1;
  std::vector<std::int64_t> uneven{};  ///< k of each where steps are not equal
  int count = 0;
  int exp10 = 0;
  double unit = 1;  ///< 1, π over a power of two, or a degree: π/180
  Scale scale;

  std::int64_t numerator(int i) const { return uneven.empty() ? first + i * stride : uneven[std::size_t(i)]; }
  double value(int i) const;
};

/// At most about `target` ticks, all inside the range. Extended Wilkinson (Talbot, Lin, Hanrahan, "An
/// extension of Wilkinson's algorithm for positioning tick labels on axes", 2010) on a linear scale; powers
/// with a stride on a log one, or 1, 2 and 5 times powers of ten where it shows hardly a power.
TickSet locate_ticks(const Scale&, Range, int target, TickHint = TickHint::none);

/// Made from the whole set: the same number of decimals in all but zero, a true minus sign; $2^{10}$ on a log scale.
std::vector<std::string> tick_labels(const TickSet&);

/// One value in the manner of tick labels, with at most six digits.
std::string number_label(double);

}  // namespace orrery::figure
