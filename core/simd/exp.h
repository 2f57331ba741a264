// Exponentials of vectors of floats, relatively exact to about a unit in the last place. Included once for every
// processor, as vector.h is.
#if defined(ORRERY_CORE_SIMD_EXP_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_SIMD_EXP_H_
#undef ORRERY_CORE_SIMD_EXP_H_
#else
#define ORRERY_CORE_SIMD_EXP_H_
#endif

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

/// A polynomial by Horner's rule, highest coefficient first.
HWY_INLINE Vector horner(Vector /*x*/, Vector p) {
  return p;
}
template <class... C>
HWY_INLINE Vector horner(Vector x, Vector p, float next, C... others) {
  return horner(x, hn::MulAdd(p, x, all(next)), others...);
}

/// x, but `limit` where x is above (below) it. NaN stays.
HWY_INLINE Vector at_most(Vector x, float limit) {
  return hn::IfThenElse(hn::Gt(x, all(limit)), all(limit), x);
}
HWY_INLINE Vector at_least(Vector x, float limit) {
  return hn::IfThenElse(hn::Lt(x, all(limit)), all(limit), x);
}

/// What a·b loses when it is rounded to `product`.
HWY_INLINE Vector product_error(Vector a, Vector b, Vector product) {
#if HWY_NATIVE_FMA
  return hn::MulSub(a, b, product);
#else
  // Dekker's product: halves of twelve bits, whose products are exact.
  const auto upper = [](Vector v) HWY_ATTR {
    const Vector scaled = hn::Mul(v, all(4097));
    return hn::Sub(scaled, hn::Sub(scaled, v));
  };
  const Vector a1 = upper(a), b1 = upper(b), a2 = hn::Sub(a, a1), b2 = hn::Sub(b, b1);
  const Vector cross = hn::Add(hn::Add(hn::Sub(hn::Mul(a1, b1), product), hn::Mul(a1, b2)), hn::Mul(a2, b1));
  return hn::Add(cross, hn::Mul(a2, b2));
#endif
}

/// Adding it rounds to an integer, which is left in the low bits of the sum.
constexpr float rounder = 0x1.8p23f;

/// p · 2ⁿ, n in the low bits of `shifted`; the result must be a normal number.
HWY_INLINE Vector times_power_of_two(Vector p, Vector shifted) {
  const hn::RebindToSigned<Floats> ints;
  return hn::BitCast(Floats(), hn::Add(hn::BitCast(ints, p), hn::ShiftLeft<23>(hn::BitCast(ints, shifted))));
}

/// exp(x + lower) for x in [−86.5, 88.3] and a `lower` that is small beside 1: x = n ln 2 + r, n an integer, |r| ≤ ½ ln 2.
/// The polynomial is the Chebyshev fit of (eʳ − 1 − r)/r² (mpmath.chebyfit, 40 digits; relative error of eʳ 1.1e-8).
HWY_INLINE Vector exp(Vector x, Vector lower) {
  constexpr float log2_e = 1.44269504f;
  // Of nine bits, so that n · ln2_upper is exact without a fused operation.
  constexpr float ln2_upper = 0.693359375f, ln2_lower = -2.12194440e-4f;
  const Vector shifted = hn::MulAdd(x, all(log2_e), all(rounder));
  const Vector n = hn::Sub(shifted, all(rounder));
  Vector r = hn::NegMulAdd(n, all(ln2_upper), x);
  r = hn::Add(hn::NegMulAdd(n, all(ln2_lower), r), lower);
  const Vector p = horner(r, all(0.0013926926614f), 0.00836377387441f, 0.0416665501103f, 0.166665733819f,
                          0.5f, 1.0f, 1.0f);
  return times_power_of_two(p, shifted);
}
HWY_INLINE Vector exp(Vector x) {
  return exp(x, hn::Zero(Floats()));
}

/// 2^x · 2^Scale for x in [−125 − Scale, 127 − Scale]; the polynomial as above, of (2^f − 1)/f, relative error 5.4e-9.
template <int Scale>
HWY_INLINE Vector exp2_scaled(Vector x) {
  // Where the exponent is taken from, `Scale` stands in the low bits already; where the fraction is, it is not.
  const Vector shifted = hn::Add(x, all(rounder));
  const Vector f = hn::Sub(x, hn::Sub(shifted, all(rounder)));
  const Vector p = horner(f, all(0.000154541620879f), 0.00133920174056f, 0.00961808066527f, 0.0555035492895f,
                          0.240226507645f, 0.693147188486f, 1.0f);
  return times_power_of_two(p, hn::Add(shifted, all(Scale)));
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
