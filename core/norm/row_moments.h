// Mean and variance of a row in double: for rows of doubles, and for rows of floats whose squares leave float.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/norm/double_range.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

/// Of the values times `scale`, which is 1 unless their squares leave double.
struct RowMoments {
  double mean = 0, variance = 0;
  double rest = 0;  ///< the mean is rounded: what that leaves in the centred values, in the mean
  double scale = 1;

  /// 0 for every value of a constant row.
  template <class T>
  double centred(T value) const {
    return (static_cast<double>(value) * scale - mean) - rest;
  }
};

template <class T>
RowMoments two_pass_moments(std::span<const T> x, double scale = 1) {
  const double D = static_cast<double>(x.size());
  RowMoments m{.mean = tensor::sum(x, [scale](double v) { return v * scale; }) / D, .scale = scale};
  const auto [sum, squares] = tensor::sum_and_squares(x, [&m](double v) { return v * m.scale - m.mean; });
  m.rest = sum / D;
  m.variance = squares / D - m.rest * m.rest;
  // Where that takes much away it takes digits, as from a constant row.
  if (!(m.variance > 0.5 * squares / D))
    m.variance = tensor::sum(x, [&m](double v) { return m.centred(v) * m.centred(v); }) / D;
  // A constant row has nothing to square. Scaled, its deviation were √ε scale, and that may leave double.
  if (m.variance == 0 && std::ranges::all_of(x, [x](T v) { return v == x[0]; }))
    return {.mean = static_cast<double>(x[0])};
  return m;
}

/// What moments(1) gives or, where squares have left double, moments(scale). `root_eps`: what is added to the deviation is of
/// this size.
template <class T, class Moments>
RowMoments moments_in_range(std::span<const T> x, double root_eps, const Moments& moments) {
  return in_double_range(x, root_eps, moments, [](const RowMoments& m) { return m.variance; });
}

/// The same by two passes.
template <class T>
RowMoments moments_in_range(std::span<const T> x, double root_eps) {
  return moments_in_range(x, root_eps, [x](double scale) { return two_pass_moments(x, scale); });
}

/// 1/√(σ² + ε).
inline double inverse_deviation(const RowMoments& m, double eps) {
  return 1 / std::sqrt(m.variance + scaled_eps(eps, m.scale * m.scale));
}

/// s, of D values.
inline double unbiased_deviation(const RowMoments& m, double D) {
  return std::sqrt(m.variance * D / (D - 1));
}

}  // namespace orrery::norm
