// An exponential function for loops over floats: no branch and no table, so that a compiler can vectorise
// them.
#pragma once

#include <bit>
#include <cstdint>

namespace orrery::tensor {

/// A polynomial by Horner's rule, highest coefficient first.
template <class... C>
constexpr double horner(double x, double highest, C... others) {
  double p = highest;
  ((p = p * x + others), ...);
  return p;
}

/// e^x in double, relative error below 2⁻⁴⁵: exact enough to be rounded to float once. x is held within ±700,
/// where the result is far outside float's range already; NaN gives NaN.
///
/// e^x = 2ⁿ e^r, n the integer nearest to x/ln 2, |r| ≤ ½ ln 2. The polynomial is the Chebyshev fit of degree
/// 9 to e^r (mpmath.chebyfit, 40 digits; relative error 1.4e-14).
inline double exp_for_float(double x) {
  x = x < -700 ? -700 : x;
  x = x > 700 ? 700 : x;
  // Adding 1.5·2⁵² rounds to an integer and leaves it in the low bits of the sum.
  constexpr double shift = 0x1.8p52, log2_e = 1.4426950408889634;
  constexpr double ln2_upper = 0x1.62e42feep-1;  // 32 bits: n · ln2_upper is exact
  constexpr double ln2_lower = 0x1.a39ef35793c76p-33;
  const double shifted = x * log2_e + shift;
  const double n = shifted - shift;
  const double r = (x - n * ln2_upper) - n * ln2_lower;
  // Even and odd powers apart: two short chains of operations instead of a long one.
  const double even = horner(r * r, 2.4884459751751116e-05, 0.0013888801749656543, 0.04166666704055191,
                             0.4999999999943859, 1.0000000000000135);
  const double odd = horner(r * r, 2.7632640675430236e-06, 0.0001984119064754424, 0.008333333367311603,
                            0.16666666666615648, 1.0000000000000013);
  const double p = even + r * odd;
  const std::uint64_t biased = std::bit_cast<std::uint64_t>(shifted) + 1023;
  return p * std::bit_cast<double>(biased << 52);
}

}  // namespace orrery::tensor
