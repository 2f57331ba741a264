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

/// `least`: the root of the mean is compared with, or added to, this.
template <class T>
ScaledValue sum_of_squares(std::span<const T> x, double least) {
  const auto times = [x](double scale) {
    const auto square = [scale](double v) { return v * scale * (v * scale); };
    return ScaledValue{tensor::sum(x, square), scale};
  };
  return in_double_range(x, least, times,
                         [x](const ScaledValue& sum) { return sum.value / static_cast<double>(x.size()); });
}

template <class T>
ScaledValue mean_square(std::span<const T> x, double least) {
  const auto [sum, scale] = sum_of_squares(x, least);
  return {sum / static_cast<double>(x.size()), scale};
}

/// R of those values, and what divides them: with ε inside or outside of the root.
struct RootMeanSquare {
  double root, divisor, scale;
};

template <class T>
RootMeanSquare root_mean_square(std::span<const T> x, const RmsNormParams& params) {
  const bool inside = params.eps_place == EpsPlace::inside;
  const auto [square, scale] = mean_square(x, inside ? std::sqrt(params.eps) : params.eps);
  const double root = std::sqrt(square);
  return {root,
          inside ? std::sqrt(square + scaled_eps(params.eps, scale * scale))
                 : root + scaled_eps(params.eps, scale),
          scale};
}

template <class T>
ScaledValue inverse_rms(std::span<const T> x, const RmsNormParams& params) {
  const RootMeanSquare by = root_mean_square(x, params);
  return {1 / by.divisor, by.scale};
}

}  // namespace orrery::norm
