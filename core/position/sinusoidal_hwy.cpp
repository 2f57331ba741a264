#include <cstdint>

#include "core/position/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/position/sinusoidal_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::position::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// The pairs from i on, as floats; then one row further.
struct SinCos {
  hn::Vec<hn::Half<Floats>> sin, cos;
};

HWY_INLINE SinCos next(const TurningPairs& p, std::size_t i) {
  const Doubles d;
  const hn::Half<Floats> narrow;
  const WideVector s = hn::LoadU(d, p.sin + i), c = hn::LoadU(d, p.cos + i);
  const WideVector ts = hn::LoadU(d, p.turn_sin + i), tc = hn::LoadU(d, p.turn_cos + i);
  hn::StoreU(hn::MulAdd(s, tc, hn::Mul(c, ts)), d, p.sin + i);
  hn::StoreU(hn::MulSub(c, tc, hn::Mul(s, ts)), d, p.cos + i);
  return {hn::DemoteTo(narrow, s), hn::DemoteTo(narrow, c)};
}

void turn_one(const TurningPairs& p, std::size_t i, float* sin, float* cos) {
  const double s = p.sin[i], c = p.cos[i];
  *sin = static_cast<float>(s);
  *cos = static_cast<float>(c);
  p.sin[i] = s * p.turn_cos[i] + c * p.turn_sin[i];
  p.cos[i] = c * p.turn_cos[i] - s * p.turn_sin[i];
}

template <bool streamed>
void neighbours_row(const TurningPairs& p, float* y) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Floats d;
  const std::size_t half = hn::Lanes(d) / 2;
  // s₀ s₁ … c₀ c₁ … to s₀ c₀ s₁ c₁ …
  alignas(64) std::int32_t at[HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t k = 0; k < 2 * half; ++k) at[k] = static_cast<std::int32_t>(k / 2 + k % 2 * half);
  const auto zipped = hn::SetTableIndices(d, at);
  for (; i + half <= p.count; i += half) {
    const SinCos v = next(p, i);
    put<streamed>(hn::TableLookupLanes(hn::Combine(d, v.cos, v.sin), zipped), y + 2 * i);
  }
#endif
  for (; i < p.count; ++i) turn_one(p, i, y + 2 * i, y + 2 * i + 1);
}

template <bool streamed>
void halves_row(const TurningPairs& p, float* sin, float* cos) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (; i + lanes <= p.count; i += lanes) {
    const SinCos v = next(p, i), w = next(p, i + lanes / 2);
    put<streamed>(hn::Combine(d, w.sin, v.sin), sin + i);
    put<streamed>(hn::Combine(d, w.cos, v.cos), cos + i);
  }
#endif
  for (; i < p.count; ++i) turn_one(p, i, sin + i, cos + i);
}

void neighbours_loop(const TurningPairs& p, float* y, std::size_t y_stride, std::size_t rows, bool streamed) {
  for (std::size_t r = 0; r < rows; ++r, y += y_stride) {
    if (streamed) {
      neighbours_row<true>(p, y);
    } else {
      neighbours_row<false>(p, y);
    }
  }
}

void halves_loop(const TurningPairs& p, float* sin, float* cos, std::size_t y_stride, std::size_t rows,
                 bool streamed) {
  for (std::size_t r = 0; r < rows; ++r, sin += y_stride, cos += y_stride) {
    if (streamed) {
      halves_row<true>(p, sin, cos);
    } else {
      halves_row<false>(p, sin, cos);
    }
  }
}

}  // namespace orrery::position::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::position {

HWY_EXPORT(neighbours_loop);
HWY_EXPORT(halves_loop);

void turn_neighbours(const TurningPairs& p, float* y, std::size_t y_stride, std::size_t rows, bool streamed) {
  HWY_DYNAMIC_DISPATCH(neighbours_loop)(p, y, y_stride, rows, streamed);
}
void turn_halves(const TurningPairs& p, float* sin, float* cos, std::size_t y_stride, std::size_t rows,
                 bool streamed) {
  HWY_DYNAMIC_DISPATCH(halves_loop)(p, sin, cos, y_stride, rows, streamed);
}

}  // namespace orrery::position
#endif
