// Doubles whose squares leave double: beyond 10¹⁵⁴ they overflow, below 10⁻¹⁵⁴ they vanish.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>

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

/// ε among numbers that are `scale` times as large, squared or not. It does not vanish: a constant row has no variance.
inline double scaled_eps(double eps, double scale) {
  return scale == 1 || eps == 0 ? eps : std::max(eps * scale, DBL_MIN);
}

}  // namespace orrery::norm
