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
#if HWY_ARCH_X86 && HWY_TARGET < HWY_EMU128  // there a NaN in the second place is the result
  return hn::Min(all(limit), x);
#else
  return hn::IfThenElse(hn::Gt(x, all(limit)), all(limit), x);
#endif
}
HWY_INLINE Vector at_least(Vector x, float limit) {
#if HWY_ARCH_X86 && HWY_TARGET < HWY_EMU128
  return hn::Max(all(limit), x);
#else
  return hn::IfThenElse(hn::Lt(x, all(limit)), all(limit), x);
#endif
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
/// The same with the bias of exponents: what is left is the exponent field of that power of two.
constexpr float exponent_rounder = rounder + 127;

/// p · 2ⁿ, n from −126 to 127, where `shifted` is n + exponent_rounder. NaN stays NaN, whatever bits `shifted` has of it.
HWY_INLINE Vector times_power_of_two(Vector p, Vector shifted) {
  const hn::RebindToSigned<Floats> ints;
  return hn::Mul(p, hn::BitCast(Floats(), hn::ShiftLeft<23>(hn::BitCast(ints, shifted))));
}

/// exp(x + lower) · 2^−less for a `lower` that is small beside 1 and an integer `less`; the result must be a normal number,
/// 2^±125 at most. x = n ln 2 + r, n an integer, |r| ≤ ½ ln 2. The polynomial is the Chebyshev fit of (eʳ − 1 − r)/r²
/// (mpmath.chebyfit, 40 digits; relative error of eʳ 1.1e-8).
HWY_INLINE Vector exp(Vector x, Vector lower, Vector less) {
  constexpr float log2_e = 1.44269504f;
  // Of nine bits, so that n · ln2_upper is exact without a fused operation.
  constexpr float ln2_upper = 0.693359375f, ln2_lower = -2.12194440e-4f;
  const Vector shifted = hn::MulAdd(x, all(log2_e), all(exponent_rounder));
  const Vector n = hn::Sub(shifted, all(exponent_rounder));
  Vector r = hn::NegMulAdd(n, all(ln2_upper), x);
  r = hn::Add(hn::NegMulAdd(n, all(ln2_lower), r), lower);
  const Vector p = horner(r, all(0.0013926926614f), 0.00836377387441f, 0.0416665501103f, 0.166665733819f,
                          0.5f, 1.0f, 1.0f);
  return times_power_of_two(p, hn::Sub(shifted, less));
}
HWY_INLINE Vector exp(Vector x) {
  return exp(x, hn::Zero(Floats()), hn::Zero(Floats()));
}

/// Vectors at work side by side, so that their chains of operations overlap: as many as the registers hold.
#if HWY_MAX_BYTES >= 64
constexpr int beside = 4;
#else
constexpr int beside = 2;
#endif

/// x = 2^x · 2^Scale for x in [−125 − Scale, 127 − Scale]; NaN stays NaN. The polynomial as above, of (2^f − 1)/f, relative
/// error 5.4e-9.
template <int Scale, int N>
HWY_INLINE void exp2_scaled(Vector (&x)[N]) {
  constexpr float coefficients[] = {0.000154541620879f,
                                    0.00133920174056f,
                                    0.00961808066527f,
                                    0.0555035492895f,
                                    0.240226507645f,
                                    0.693147188486f,
                                    1.0f};
  constexpr float scaled_rounder = exponent_rounder + Scale;
  Vector shifted[N], p[N];
#pragma GCC unroll 4
  for (int i = 0; i < N; ++i) {
    shifted[i] = hn::Add(x[i], all(scaled_rounder));
    x[i] = hn::Sub(x[i], hn::Sub(shifted[i], all(scaled_rounder)));
    p[i] = all(coefficients[0]);
  }
#pragma GCC unroll 8
  for (int k = 1; k < 7; ++k)
#pragma GCC unroll 4
    for (int i = 0; i < N; ++i) p[i] = hn::MulAdd(p[i], x[i], all(coefficients[k]));
#pragma GCC unroll 4
  for (int i = 0; i < N; ++i) x[i] = times_power_of_two(p[i], shifted[i]);
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
