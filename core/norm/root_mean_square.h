// The root mean square of a row in double: for rows of doubles, and for rows of floats whose squares leave float.
#pragma once

#include <cmath>
#include <span>

#include "core/norm/double_range.h"
#include "core/norm/rms_norm.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

/// Of the values times `scale`, which is 1 unless their squares leave double.
struct ScaledValue {
  double value, scale = 1;
};

/// `least`: the result is compared with, or added to, the square of this.
template <class T>
ScaledValue mean_square(std::span<const T> x, double least) {
  const auto times = [x](double scale) {
    const auto square = [scale](double v) { return v * scale * (v * scale); };
    return ScaledValue{tensor::sum(x, square) / static_cast<double>(x.size()), scale};
  };
  return in_double_range(x, least, times, [](const ScaledValue& square) { return square.value; });
}

/// 1/rms of those values, ε inside or outside of the root.
template <class T>
ScaledValue inverse_rms(std::span<const T> x, const RmsNormParams& params) {
  const bool inside = params.eps_place == EpsPlace::inside;
  const auto [square, scale] = mean_square(x, inside ? std::sqrt(params.eps) : params.eps);
  const double rms = inside ? std::sqrt(square + scaled_eps(params.eps, scale * scale))
                            : std::sqrt(square) + scaled_eps(params.eps, scale);
  return {1 / rms, scale};
}

}  // namespace orrery::norm
