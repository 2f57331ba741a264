// The upper tail of the normal distribution, for loops over floats: no branch, so that a compiler can vectorise them.
#pragma once

#include "core/tensor/exp.h"

namespace orrery::activation {

/// 1 − Φ(a) for 0 ≤ a ≤ 20, relative error below 2⁻⁴². (1 + a) exp(a²/2) (1 − Φ(a)) is a polynomial in
/// t = (a − 4)/(a + 4): the Chebyshev fit of degree 16 (mpmath.chebyfit, 40 digits; relative error 1.4e-13).
inline double normal_tail(double a) {
  const double t = (a - 4) / (a + 4);
  // Even and odd powers apart, as in exp_for_float.
  const double even =
      tensor::horner(t * t, 1.8861179545907973e-07, -2.219832988404452e-06, 1.3445048342308005e-05,
                     -8.782014314682227e-05, 0.0006948981819157396, -0.00500237973206464,
                     -0.03219783730148297, 0.013999634720359628, 0.4720532065098628);
  const double odd = tensor::horner(t * t, 1.5142103201671876e-07, -3.015284968589438e-06,
                                    2.0965623012256896e-05, -9.432896541440595e-05, -0.00028564287761291286,
                                    0.017936099512704064, 0.028600363958996563, -0.09670347732522248);
  const double p = even + t * odd;
  return p * tensor::exp_for_float(-a * a / 2) / (1 + a);
}

}  // namespace orrery::activation
