// Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988)
// 477–484, routine PPND16: three quotients of polynomials of degree 7.
#include <array>
#include <cmath>
#include <limits>

#include "core/tensor/random.h"

namespace orrery::tensor {
namespace {

using Coefficients = std::array<double, 8>;  // of 1, x, x² …

struct Quotient {
  Coefficients numerator, denominator;
};

double polynomial(const Coefficients& c, double x) {
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;) sum = sum * x + c[i];
  return sum;
}

double evaluate(const Quotient& q, double x) {
  return polynomial(q.numerator, x) / polynomial(q.denominator, x);
}

constexpr Quotient central{
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
     3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};

constexpr Quotient tail{{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                         2.27238449892691845833e-2, 7.74545014278341407640e-4},
                        {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
                         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
                         1.05075007164441684324e-9}};

constexpr Quotient far_tail{{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                             2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7},
                            {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                             1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                             1.42151175831644588870e-7, 2.04426310338993978564e-15}};

/// ln p for p > 0, from additions, products and quotients alone: the C library's log may differ in the last
/// bit from one machine to the next, and a seeded input must not.
double portable_log(double p) {
  int exponent = 0;
  double m = std::frexp(p, &exponent);  // p = m · 2^exponent, m in [1/2, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // ln m = 2 artanh s, |s| ≤ 0.1716; the first term left out is below 2 s · s²² / 23 < 1e-18 s.
  const double s = (m - 1) / (m + 1);
  double series = 0;
  for (int n = 21; n >= 1; n -= 2) series = series * (s * s) + 1.0 / n;
  return 2 * s * series + exponent * 0.69314718055994530942;
}

}  // namespace

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return q * evaluate(central, 0.180625 - q * q);
  const double nearest_end = q < 0 ? p : 1 - p;
  if (nearest_end == 0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-portable_log(nearest_end));
  const double x = r <= 5 ? evaluate(tail, r - 1.6) : evaluate(far_tail, r - 5);
  return std::copysign(x, q);
}

}  // namespace orrery::tensor
