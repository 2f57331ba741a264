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

/// How far ahead tokens are fetched, in floats.
constexpr std::size_t ahead = 2048;

/// Where one token of every group stands, and the one that is fetched meanwhile.
struct Token {
  const float *x, *cos, *sin;
  float* y;
  const float* soon;
};

/// The pairs from i on, one by one: pair i is (x[stride·i], x[stride·i + apart]).
void rotate_rest(const TokenRows& r, const Token& t, std::size_t i, std::size_t stride, std::size_t apart) {
  for (; i < r.pairs; ++i) {
    const float c = t.cos[i], s = t.sin[i];
    for (std::size_t g = 0; g < r.groups; ++g) {
      const float* const x = t.x + g * r.x_group + stride * i;
      float* const y = t.y + g * r.y_group + stride * i;
      const float a = x[0], b = x[apart];
      y[0] = c * a - s * b;
      y[apart] = s * a + c * b;
    }
  }
}

// A vector of the tables is read once and turns that token of all groups.

/// A pair is (x[i], x[pairs + i]).
template <bool fetched, bool streamed>
HWY_INLINE void halves(const TokenRows& r, const Token& t) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d), pairs = r.pairs;
  std::size_t i = 0;
  for (; i + lanes <= pairs; i += lanes) {
    const Vector c = hn::LoadU(d, t.cos + i), s = hn::LoadU(d, t.sin + i);
    for (std::size_t g = 0; g < r.groups; ++g) {
      const float* const x = t.x + g * r.x_group + i;
      float* const y = t.y + g * r.y_group + i;
      if constexpr (fetched) {
        const float* const soon = t.soon + g * r.x_group + i;
        fetch(soon), fetch(soon + pairs);
      }
      const Vector a = hn::LoadU(d, x), b = hn::LoadU(d, x + pairs);
      put<streamed>(hn::MulSub(c, a, hn::Mul(s, b)), y);
      put<streamed>(hn::MulAdd(s, a, hn::Mul(c, b)), y + pairs);
    }
  }
  if (i < pairs) rotate_rest(r, t, i, 1, pairs);
}

/// A pair is (x[2i], x[2i + 1]).
template <bool fetched, bool streamed>
HWY_INLINE void neighbours(const TokenRows& r, const Token& t) {
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
  const auto turned = [=](Vector v, Vector c, Vector s)
                          HWY_ATTR { return hn::MulAdd(v, c, hn::Mul(hn::Reverse2(d, v), s)); };
  for (; i + lanes <= r.pairs; i += lanes) {
    const Vector c = hn::LoadU(d, t.cos + i), s = hn::LoadU(d, t.sin + i);
    const Vector c_lower = hn::TableLookupLanes(c, lower), c_upper = hn::TableLookupLanes(c, upper);
    const Vector s_lower = hn::Xor(hn::TableLookupLanes(s, lower), minus_even),
                 s_upper = hn::Xor(hn::TableLookupLanes(s, upper), minus_even);
    for (std::size_t g = 0; g < r.groups; ++g) {
      const float* const x = t.x + g * r.x_group + 2 * i;
      float* const y = t.y + g * r.y_group + 2 * i;
      if constexpr (fetched) {
        const float* const soon = t.soon + g * r.x_group + 2 * i;
        fetch(soon), fetch(soon + lanes);
      }
      const Vector v = hn::LoadU(d, x), w = hn::LoadU(d, x + lanes);
      put<streamed>(turned(v, c_lower, s_lower), y);
      put<streamed>(turned(w, c_upper, s_upper), y + lanes);
    }
  }
#endif
  if (i < r.pairs) rotate_rest(r, t, i, 2, 1);
}

/// rotate(token) for each.
template <class Rotate>
HWY_INLINE void each_token(const TokenRows& r, const Rotate& rotate) {
  for (std::size_t t = 0; t < r.count; ++t)
    rotate(Token{r.x + t * r.x_stride, r.cos + t * r.cos_stride, r.sin + t * r.sin_stride,
                 r.y + t * r.y_stride, nullptr});
}

/// The same, and which one is fetched: behind the last token lies another block of tokens, whose turn does not come soon.
template <class Rotate>
HWY_INLINE void each_token_fetched(const TokenRows& r, const Rotate& rotate) {
  const std::size_t far =
      HWY_MIN(HWY_MAX(std::size_t{1}, ahead / HWY_MAX(std::size_t{1}, r.x_stride)), r.count);
  for (std::size_t t = 0; t < r.count; ++t) {
    const std::size_t soon = t + far;
    rotate(Token{r.x + t * r.x_stride, r.cos + t * r.cos_stride, r.sin + t * r.sin_stride,
                 r.y + t * r.y_stride,
                 soon < r.count ? r.x + soon * r.x_stride : r.next + (soon - r.count) * r.x_stride});
  }
}

void halves_loop(const TokenRows& r) {
  if (r.streamed && r.pairs % 16 == 0)
    return each_token_fetched(r, [&r](const Token& t) HWY_ATTR { halves<true, true>(r, t); });
  if (r.fetched) return each_token_fetched(r, [&r](const Token& t) HWY_ATTR { halves<true, false>(r, t); });
  each_token(r, [&r](const Token& t) HWY_ATTR { halves<false, false>(r, t); });
}

void neighbours_loop(const TokenRows& r) {
  if (r.streamed)
    return each_token_fetched(r, [&r](const Token& t) HWY_ATTR { neighbours<true, true>(r, t); });
  if (r.fetched)
    return each_token_fetched(r, [&r](const Token& t) HWY_ATTR { neighbours<true, false>(r, t); });
  each_token(r, [&r](const Token& t) HWY_ATTR { neighbours<false, false>(r, t); });
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
