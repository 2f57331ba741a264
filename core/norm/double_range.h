// Doubles whose squares leave double: beyond 10¹⁵⁴ they overflow, below 10⁻¹⁵⁴ they vanish.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <span>

namespace orrery::norm {

/// Whether a mean square can be trusted: no term has overflowed, and those that matter have all their bits.
constexpr bool squares_in_double(double mean_square) {
  return mean_square >= 0x1p-900 && mean_square <= 0x1p900;
}

/// What numbers of a size are multiplied by before they are squared: 1 where that is safe, and for what is not finite; else
/// the power of two that brings them near 1. It changes no digit.
inline double scale_for_squares(double size) {
  const bool safe = size >= 0x1p-450 && size <= 0x1p450;
  return safe || size == 0 || !std::isfinite(size) ? 1
                                                   : std::exp2(std::clamp(-std::ilogb(size), -1020, 1020));
}

/// measure(1) of the numbers x or, where their squares leave double, measure(scale) of x · scale. `square_of` is the mean
/// square in what it gives; `least` is compared with, or added to, its root.
template <class T, class Measure, class Square>
auto in_double_range(std::span<const T> x, double least, const Measure& measure, const Square& square_of) {
  const auto plain = measure(1.0);
  if (squares_in_double(square_of(plain))) return plain;
  double largest = least;
  for (const T v : x) largest = std::max(largest, std::abs(static_cast<double>(v)));
  const double scale = scale_for_squares(largest);
  return scale == 1 ? plain : measure(scale);
}

/// ε among numbers that are `scale` times as large, squared or not. It does not vanish: a constant row has no variance.
inline double scaled_eps(double eps, double scale) {
  return scale == 1 || eps == 0 ? eps : std::max(eps * scale, DBL_MIN);
}

}  // namespace orrery::norm
