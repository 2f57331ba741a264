#include "core/norm/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/dyt_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/exp.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::norm::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// About 0 v + v³ p(v²), where 1 − 2/(e²ᵛ + 1) would cancel. The Chebyshev fit of (tanh v/v − 1)/v² in v² up to 0.41
/// (mpmath.chebyfit, 30 digits; relative error of tanh 1e-9).
HWY_INLINE Vector tanh(Vector v) {
  const Vector square = hn::Mul(v, v), a = at_most(hn::Abs(v), 10);  // from there on it is 1 in float
  const Vector p = horner(square, all(0.00224503118559f), -0.00830079484173f, 0.0217554117813f,
                          -0.0539575579214f, 0.133332961879f, -0.333333331223f);
  const Vector near = hn::MulAdd(hn::Mul(v, square), p, v);
  const Vector e = exp(hn::Add(a, a));
  const Vector far = hn::Sub(all(1), hn::Div(all(2), hn::Add(e, all(1))));
  return hn::IfThenElse(hn::Lt(hn::Abs(v), all(0.64f)), near, hn::CopySign(far, v));
}

template <bool streamed>
HWY_INLINE void squash(const FloatRows& rows, const float* weight, const float* bias, float alpha) {
  const float* x = rows.x;
  float* y = rows.y;
  for (std::size_t i = 0; i < rows.count; ++i, x += rows.x_stride, y += rows.y_stride) {
    fill<streamed>(y, rows.cols, [=](auto at, std::size_t j) HWY_ATTR {
      const Vector t = tanh(hn::Mul(at.load(x + j), all(alpha)));
      const Vector w = weight == nullptr ? all(1) : at.load(weight + j);
      return hn::MulAdd(w, t, bias == nullptr ? all(0) : at.load(bias + j));
    });
  }
}

void dyt_loop(const FloatRows& rows, const float* weight, const float* bias, float alpha) {
  if (rows.streamed) return squash<true>(rows, weight, bias, alpha);
  squash<false>(rows, weight, bias, alpha);
}

}  // namespace orrery::norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::norm {

HWY_EXPORT(dyt_loop);

void dyt_rows(const FloatRows& rows, const float* weight, const float* bias, float alpha) {
  HWY_DYNAMIC_DISPATCH(dyt_loop)(rows, weight, bias, alpha);
}

}  // namespace orrery::norm
#endif
