// Functions of one value in double, exact enough to be rounded to float once (relative error below 2⁻⁴⁰), without
// branches and calls, so that a loop over floats vectorises. NaN gives NaN.
#pragma once

#include "core/tensor/exp.h"

namespace orrery::activation {

/// x σ(βx), β > 0. x is held where the result rounds to −0 in float, so that −∞ is not multiplied by 0.
inline double times_sigmoid_for_float(double x, double beta) {
  x = beta * x < -200 ? -200 / beta : x;
  return x / (1 + tensor::exp_for_float(-beta * x));
}

inline double sigmoid_for_float(double x) {
  return 1 / (1 + tensor::exp_for_float(-x));
}

/// eˣ − 1 for x ≤ 0. Near 0, where the difference would cancel, Taylor's series: what is left out is below
/// 0.5¹³/14! of the result.
inline double expm1_for_float(double x) {
  const double series =
      x * tensor::horner(x, 1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880,
                         1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 0.5, 1);
  const double difference = tensor::exp_for_float(x) - 1;
  return x > -0.5 ? series : difference;
}

/// x (w² + 2w)/(w² + 2w + 2), w = eˣ held where the quotient is 1.
inline double mish_for_float(double x) {
  x = x < -200 ? -200 : x;
  const double w = tensor::exp_for_float(x > 40 ? 40 : x);
  const double n = w * (w + 2);
  return x * (n / (n + 2));
}

}  // namespace orrery::activation
