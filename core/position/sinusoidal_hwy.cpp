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

/// The state of the pairs from i on.
struct Pairs {
  WideVector sin, cos, turn_sin, turn_cos;

  HWY_INLINE Pairs(const TurningPairs& p, std::size_t i)
      : sin(hn::LoadU(Doubles(), p.sin + i)),
        cos(hn::LoadU(Doubles(), p.cos + i)),
        turn_sin(hn::LoadU(Doubles(), p.turn_sin + i)),
        turn_cos(hn::LoadU(Doubles(), p.turn_cos + i)) {}
  /// One row further.
  HWY_INLINE void turn() {
    const WideVector turned = hn::MulAdd(sin, turn_cos, hn::Mul(cos, turn_sin));
    cos = hn::MulSub(cos, turn_cos, hn::Mul(sin, turn_sin));
    sin = turned;
  }
  HWY_INLINE void store(const TurningPairs& p, std::size_t i) const {
    hn::StoreU(sin, Doubles(), p.sin + i);
    hn::StoreU(cos, Doubles(), p.cos + i);
  }
};

#if HWY_TARGET != HWY_SCALAR
/// Two vectors of doubles as one of floats.
HWY_INLINE Vector narrowed(WideVector lower, WideVector upper) {
  const hn::Half<Floats> half;
  return hn::Combine(Floats(), hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
}
#endif

/// The pairs from i on, one by one: those of row r go to sin[r·stride + step·i] and cos[r·stride + step·i].
void turn_rest(const TurningPairs& p, std::size_t i, std::size_t step, float* sin, float* cos,
               std::size_t stride, std::size_t rows) {
  for (; i < p.count; ++i) {
    for (std::size_t r = 0; r < rows; ++r) {
      const double s = p.sin[i], c = p.cos[i];
      sin[r * stride + step * i] = static_cast<float>(s);
      cos[r * stride + step * i] = static_cast<float>(c);
      p.sin[i] = s * p.turn_cos[i] + c * p.turn_sin[i];
      p.cos[i] = c * p.turn_cos[i] - s * p.turn_sin[i];
    }
  }
}

/// Rows that are made while the state of a pair is in registers.
constexpr std::size_t at_once = 4;

template <bool streamed, std::size_t rows>
void neighbours(const TurningPairs& p, float* y, std::size_t stride) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Floats d;
  const std::size_t half = hn::Lanes(d) / 2;
  // s₀ s₁ … c₀ c₁ … to s₀ c₀ s₁ c₁ …
  alignas(64) std::int32_t at[HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t k = 0; k < 2 * half; ++k) at[k] = static_cast<std::int32_t>(k / 2 + k % 2 * half);
  const auto zipped = hn::SetTableIndices(d, at);
  for (; i + half <= p.count; i += half) {
    Pairs v(p, i);
    for (std::size_t r = 0; r < rows; ++r) {
      put<streamed>(hn::TableLookupLanes(narrowed(v.sin, v.cos), zipped), y + r * stride + 2 * i);
      v.turn();
    }
    v.store(p, i);
  }
#endif
  turn_rest(p, i, 2, y, y + 1, stride, rows);
}

template <bool streamed, std::size_t rows>
void halves(const TurningPairs& p, float* sin, float* cos, std::size_t stride) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const std::size_t lanes = hn::Lanes(Floats());
  for (; i + lanes <= p.count; i += lanes) {
    Pairs v(p, i), w(p, i + lanes / 2);
    for (std::size_t r = 0; r < rows; ++r) {
      put<streamed>(narrowed(v.sin, w.sin), sin + r * stride + i);
      put<streamed>(narrowed(v.cos, w.cos), cos + r * stride + i);
      v.turn(), w.turn();
    }
    v.store(p, i), w.store(p, i + lanes / 2);
  }
#endif
  turn_rest(p, i, 1, sin, cos, stride, rows);
}

template <bool streamed>
void neighbours_rows(const TurningPairs& p, float* y, std::size_t stride, std::size_t rows) {
  std::size_t r = 0;
  for (; r + at_once <= rows; r += at_once) neighbours<streamed, at_once>(p, y + r * stride, stride);
  for (; r < rows; ++r) neighbours<streamed, 1>(p, y + r * stride, stride);
}

template <bool streamed>
void halves_rows(const TurningPairs& p, float* sin, float* cos, std::size_t stride, std::size_t rows) {
  std::size_t r = 0;
  for (; r + at_once <= rows; r += at_once)
    halves<streamed, at_once>(p, sin + r * stride, cos + r * stride, stride);
  for (; r < rows; ++r) halves<streamed, 1>(p, sin + r * stride, cos + r * stride, stride);
}

void neighbours_loop(const TurningPairs& p, float* y, std::size_t stride, std::size_t rows, bool streamed) {
  (streamed ? neighbours_rows<true> : neighbours_rows<false>)(p, y, stride, rows);
}

void halves_loop(const TurningPairs& p, float* sin, float* cos, std::size_t stride, std::size_t rows,
                 bool streamed) {
  (streamed ? halves_rows<true> : halves_rows<false>)(p, sin, cos, stride, rows);
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
