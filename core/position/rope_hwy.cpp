#include <hwy/cache_control.h>

#include <cstdint>

#include "core/position/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/position/rope_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::position::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

void rotate_one(float xa, float xb, float c, float s, float* ya, float* yb) {
  *ya = c * xa - s * xb;
  *yb = s * xa + c * xb;
}

/// How far ahead rows are fetched, in floats: what the processor foresees by itself is too little beside the arithmetic.
constexpr std::size_t ahead = 1024;

/// A pair is (x[i], x[pairs + i]).
template <bool streamed>
void halves(const float* x, const float* cos, const float* sin, std::size_t pairs, float* y) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= pairs; i += lanes) {
    hwy::Prefetch(x + i + ahead);
    hwy::Prefetch(x + pairs + i + ahead);
    const Vector a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + pairs + i);
    const Vector c = hn::LoadU(d, cos + i), s = hn::LoadU(d, sin + i);
    put<streamed>(hn::MulSub(c, a, hn::Mul(s, b)), y + i);
    put<streamed>(hn::MulAdd(s, a, hn::Mul(c, b)), y + pairs + i);
  }
  for (; i < pairs; ++i) rotate_one(x[i], x[pairs + i], cos[i], sin[i], y + i, y + pairs + i);
}

/// A pair is (x[2i], x[2i + 1]).
template <bool streamed>
void neighbours(const float* x, const float* cos, const float* sin, std::size_t pairs, float* y) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  // c₀ c₀ c₁ c₁ … from the lower, then the upper half of c₀ c₁ …
  alignas(64) std::int32_t at[HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t k = 0; k < lanes; ++k) at[k] = static_cast<std::int32_t>(k / 2);
  const auto lower = hn::SetTableIndices(d, at);
  for (std::size_t k = 0; k < lanes; ++k) at[k] += static_cast<std::int32_t>(lanes / 2);
  const auto upper = hn::SetTableIndices(d, at);
  const Vector minus_even = hn::OddEven(hn::Zero(d), all(-0.0f));
  const auto turned = [=](Vector v, Vector c, Vector s) HWY_ATTR {
    return hn::MulAdd(v, c, hn::Mul(hn::Reverse2(d, v), hn::Xor(s, minus_even)));
  };
  for (; i + lanes <= pairs; i += lanes) {
    hwy::Prefetch(x + 2 * i + ahead);
    hwy::Prefetch(x + 2 * i + lanes + ahead);
    const Vector v = hn::LoadU(d, x + 2 * i), w = hn::LoadU(d, x + 2 * i + lanes);
    const Vector c = hn::LoadU(d, cos + i), s = hn::LoadU(d, sin + i);
    put<streamed>(turned(v, hn::TableLookupLanes(c, lower), hn::TableLookupLanes(s, lower)), y + 2 * i);
    put<streamed>(turned(w, hn::TableLookupLanes(c, upper), hn::TableLookupLanes(s, upper)),
                  y + 2 * i + lanes);
  }
#endif
  for (; i < pairs; ++i) rotate_one(x[2 * i], x[2 * i + 1], cos[i], sin[i], y + 2 * i, y + 2 * i + 1);
}

template <bool streamed>
void halves_each(const TokenRows& r) {
  for (std::size_t t = 0; t < r.count; ++t)
    halves<streamed>(r.x + t * r.x_stride, r.cos + t * r.cos_stride, r.sin + t * r.sin_stride, r.pairs,
                     r.y + t * r.y_stride);
}

template <bool streamed>
void neighbours_each(const TokenRows& r) {
  for (std::size_t t = 0; t < r.count; ++t)
    neighbours<streamed>(r.x + t * r.x_stride, r.cos + t * r.cos_stride, r.sin + t * r.sin_stride, r.pairs,
                         r.y + t * r.y_stride);
}

void halves_loop(const TokenRows& r) {
  if (r.streamed && r.pairs % 16 == 0) return halves_each<true>(r);
  halves_each<false>(r);
}

void neighbours_loop(const TokenRows& r) {
  if (r.streamed) return neighbours_each<true>(r);
  neighbours_each<false>(r);
}

}  // namespace orrery::position::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::position {

HWY_EXPORT(halves_loop);
HWY_EXPORT(neighbours_loop);

void rotate_halves(const TokenRows& rows) {
  HWY_DYNAMIC_DISPATCH(halves_loop)(rows);
}
void rotate_neighbours(const TokenRows& rows) {
  HWY_DYNAMIC_DISPATCH(neighbours_loop)(rows);
}

}  // namespace orrery::position
#endif
