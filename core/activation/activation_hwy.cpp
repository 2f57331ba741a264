#include "core/activation/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/activation/activation_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/exp.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::activation::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// y = f(x) where x ≥ `far`; the vectors that hold a smaller one (few do) are computed value by value.
template <bool streamed, class F>
void each(const float* x, float* y, std::size_t count, float far, float (*exactly)(float), F f) {
  fill<streamed>(y, count, [=](auto at, std::size_t j) HWY_ATTR {
    const Vector v = at.load(x + j);
    if (HWY_LIKELY(hn::AllFalse(Floats(), hn::Lt(v, all(far))))) return f(v);
    alignas(64) float values[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(v, Floats(), values);
    for (std::size_t k = 0; k < hn::Lanes(Floats()); ++k) values[k] = exactly(values[k]);
    return hn::Load(Floats(), values);
  });
}

template <class F>
void each(const float* x, float* y, std::size_t count, bool streamed, float far, float (*exactly)(float),
          F f) {
  if (streamed) return each<true>(x, y, count, far, exactly, f);
  each<false>(x, y, count, far, exactly, f);
}

void relu_loop(const float* x, float* y, std::size_t count, bool streamed) {
  const auto f = [x](auto at, std::size_t j) HWY_ATTR {
    const Vector v = at.load(x + j), zero = hn::Zero(Floats());
    return hn::IfThenElse(hn::Lt(v, zero), zero, v);
  };
  if (streamed) return fill<true>(y, count, f);
  fill<false>(y, count, f);
}

void silu_loop(const float* x, float* y, std::size_t count, bool streamed) {
  each(x, y, count, streamed, -86, silu_exactly, [](Vector v) HWY_ATTR {
    // Beyond 86 the quotient's divisor is 1.
    const Vector e = exp(hn::Neg(at_most(v, 86)));
    return hn::Div(v, hn::Add(all(1), e));
  });
}

/// x σ(q) = x/(1 + exp(−q)), q = 2√(2/π)(x + 0.044715x³). An error of q is a relative error of the result, so q is carried
/// in two floats.
void gelu_tanh_loop(const float* x, float* y, std::size_t count, bool streamed) {
  each(x, y, count, streamed, -9.7f, gelu_tanh_exactly, [](Vector v) HWY_ATTR {
    // −q = v (a + b v²); the upper half of a has few enough bits to be subtracted exactly.
    constexpr double exact_a = -1.5957691216057307, exact_b = -0.07135481627260025;
    constexpr float a = -0x1.988p0f, b = static_cast<float>(exact_b);
    constexpr float a_rest = static_cast<float>(exact_a - a), b_rest = static_cast<float>(exact_b - b);
    const Vector x1 = at_most(v, 9.7f);
    const Vector s = hn::Mul(x1, x1), s_rest = product_error(x1, x1, s);
    const Vector bs = hn::Mul(s, all(b));
    const Vector w = hn::Add(bs, all(a));
    Vector w_rest = hn::Add(hn::Sub(all(a), w), bs);
    w_rest = hn::Add(w_rest, product_error(s, all(b), bs));
    w_rest = hn::Add(w_rest, hn::MulAdd(s_rest, all(b), hn::MulAdd(s, all(b_rest), all(a_rest))));
    const Vector q = hn::Mul(x1, w), q_rest = hn::MulAdd(x1, w_rest, product_error(x1, w, q));
    return hn::Div(v, hn::Add(all(1), exp(q, q_rest)));
  });
}

/// x Φ(x) = max(x, 0) − |x| (1 − Φ(|x|)). (a + 4) exp(a²/2) (1 − Φ(a)) is a polynomial in t = (a − 4)/(a + 4) for a up to
/// 13.3: the Chebyshev fit of degree 9 (mpmath.chebyfit, 40 digits; relative error 1.2e-8).
void gelu_loop(const float* x, float* y, std::size_t count, bool streamed) {
  each(x, y, count, streamed, -13.1f, gelu_exactly, [](Vector v) HWY_ATTR {
    const Vector a = at_most(hn::Abs(v), 13.1f);
    const Vector r = hn::Div(all(1), hn::Add(a, all(4)));
    const Vector t = hn::NegMulAdd(all(8), r, all(1));
    const Vector p = horner(t, all(-0.000115843636838f), 0.000211579291974f, 0.00157770926223f,
                            -0.00352976017834f, -0.00753252098213f, 0.0604068505758f, -0.186522205158f,
                            0.387136705055f, -0.607896635526f, 0.755285137873f);
    const Vector square = hn::Mul(a, a), rest = product_error(a, a, square);
    const Vector e = exp(hn::Mul(square, all(-0.5f)), hn::Mul(rest, all(-0.5f)));
    // The exponential last: it may be the smallest normal number, the result is a little larger.
    const Vector tail = hn::Mul(hn::Mul(hn::Mul(a, r), p), e);
    return hn::Sub(hn::Max(v, hn::Zero(Floats())), tail);
  });
}

}  // namespace orrery::activation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::activation {

HWY_EXPORT(relu_loop);
HWY_EXPORT(silu_loop);
HWY_EXPORT(gelu_loop);
HWY_EXPORT(gelu_tanh_loop);

void relu_floats(const float* x, float* y, std::size_t count, bool streamed) {
  HWY_DYNAMIC_DISPATCH(relu_loop)(x, y, count, streamed);
}
void silu_floats(const float* x, float* y, std::size_t count, bool streamed) {
  HWY_DYNAMIC_DISPATCH(silu_loop)(x, y, count, streamed);
}
void gelu_floats(const float* x, float* y, std::size_t count, bool streamed) {
  HWY_DYNAMIC_DISPATCH(gelu_loop)(x, y, count, streamed);
}
void gelu_tanh_floats(const float* x, float* y, std::size_t count, bool streamed) {
  HWY_DYNAMIC_DISPATCH(gelu_tanh_loop)(x, y, count, streamed);
}

}  // namespace orrery::activation
#endif
