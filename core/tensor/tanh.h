// A hyperbolic tangent for loops over floats: no branch and no table, so that a compiler can vectorise them.
#pragma once

#include <cmath>

#include "core/tensor/exp.h"

namespace orrery::tensor {

/// tanh x in double, relative error below 2⁻⁴⁴: exact enough to be rounded to float once. NaN gives NaN.
///
/// Beyond ¼ it is (1 − e)/(1 + e) with e = exp(−2|x|), whose difference loses less than two bits there; up to ¼
/// the first nine terms of its series, which leave out 1e-14 of it (each is (2/π)²x² = 0.025 of the one before).
inline double tanh_for_float(double x) {
  const double a = std::abs(x), z = x * x;
  const double series = a * horner(z, 6404582. / 10854718875, -929569. / 638512875, 21844. / 6081075,
                                   -1382. / 155925, 62. / 2835, -17. / 315, 2. / 15, -1. / 3, 1);
  const double e = exp_for_float(-2 * a);
  const double quotient = (1 - e) / (1 + e);
  return std::copysign(a < 0.25 ? series : quotient, x);
}

}  // namespace orrery::tensor
