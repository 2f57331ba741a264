#include "core/activation/slope_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/activation/slopes_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/exp.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::activation::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

template <class Slope>
void each_slope(const SlopeRun& run, Slope slope) {
  fill<false>(run.dx, run.count, [=](auto at, std::size_t j) HWY_ATTR {
    return hn::Mul(at.load(run.g + j), slope(at.load(run.x + j)));
  });
}

/// exp(x) for |x| ≤ 86.
HWY_INLINE Vector exp_of(Vector x) {
  return exp(x, hn::Zero(Floats()), hn::Zero(Floats()));
}

/// x, held within ±limit: beyond it the derivative has reached its limit, and ∞ times 0 is not asked for.
HWY_INLINE Vector held(Vector x, float limit) {
  return at_least(at_most(x, limit), -limit);
}

void relu_slopes_loop(const SlopeRun& run) {
  each_slope(run, [](Vector v) HWY_ATTR {
    const auto off = hn::Le(v, hn::Zero(Floats()));
    return hn::IfThenElse(off, hn::Zero(Floats()), hn::IfThenElse(hn::Gt(v, hn::Zero(Floats())), all(1), v));
  });
}

/// σ + x σ (1 − σ), 1 − σ = e⁻ˣ σ
void silu_slopes_loop(const SlopeRun& run) {
  each_slope(run, [](Vector v) HWY_ATTR {
    const Vector x = held(v, 86), e = exp_of(hn::Neg(x));
    const Vector s = hn::Div(all(1), hn::Add(all(1), e));
    return hn::MulAdd(hn::Mul(x, s), hn::Mul(e, s), s);
  });
}

/// σ(q) + x q' σ(q) (1 − σ(q)), q = 2√(2/π)(x + 0.044715x³)
void gelu_tanh_slopes_loop(const SlopeRun& run) {
  each_slope(run, [](Vector v) HWY_ATTR {
    constexpr float a = 1.5957691216057308F, b = 0.07135481627260025F;
    const Vector x = held(v, 9.7F), square = hn::Mul(x, x);
    const Vector e = exp_of(hn::Neg(hn::Mul(x, hn::MulAdd(square, all(b), all(a)))));
    const Vector s = hn::Div(all(1), hn::Add(all(1), e));
    const Vector turn = hn::Mul(x, hn::MulAdd(square, all(3 * b), all(a)));
    return hn::MulAdd(hn::Mul(turn, s), hn::Mul(e, s), s);
  });
}

/// Φ(x) + x φ(x); 1 − Φ(|x|) as gelu_loop of activation_hwy.cpp has it: (a + 4) exp(a²/2) (1 − Φ(a)) is a polynomial in
/// t = (a − 4)/(a + 4).
void gelu_slopes_loop(const SlopeRun& run) {
  each_slope(run, [](Vector v) HWY_ATTR {
    const Vector x = held(v, 13), a = hn::Abs(x);
    const Vector r = hn::Div(all(1), hn::Add(a, all(4)));
    const Vector t = hn::NegMulAdd(all(8), r, all(1));
    const Vector p = horner(t, all(-0.000115843636838F), 0.000211579291974F, 0.00157770926223F,
                            -0.00352976017834F, -0.00753252098213F, 0.0604068505758F, -0.186522205158F,
                            0.387136705055F, -0.607896635526F, 0.755285137873F);
    const Vector e = exp_of(hn::Mul(hn::Mul(x, x), all(-0.5F)));
    const Vector tail = hn::Mul(hn::Mul(r, p), e);
    const Vector below = hn::IfThenElse(hn::Lt(x, hn::Zero(Floats())), tail, hn::Sub(all(1), tail));
    return hn::MulAdd(hn::Mul(x, all(0.3989422804014327F)), e, below);
  });
}

}  // namespace orrery::activation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::activation {

HWY_EXPORT(relu_slopes_loop);
HWY_EXPORT(silu_slopes_loop);
HWY_EXPORT(gelu_slopes_loop);
HWY_EXPORT(gelu_tanh_slopes_loop);

void relu_slopes(const SlopeRun& run) {
  HWY_DYNAMIC_DISPATCH(relu_slopes_loop)(run);
}
void silu_slopes(const SlopeRun& run) {
  HWY_DYNAMIC_DISPATCH(silu_slopes_loop)(run);
}
void gelu_slopes(const SlopeRun& run) {
  HWY_DYNAMIC_DISPATCH(gelu_slopes_loop)(run);
}
void gelu_tanh_slopes(const SlopeRun& run) {
  HWY_DYNAMIC_DISPATCH(gelu_tanh_slopes_loop)(run);
}

}  // namespace orrery::activation
#endif
