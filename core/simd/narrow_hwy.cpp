#include "core/simd/narrow.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/narrow_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/multiply.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

using Index = std::int64_t;

Index whole_vectors(Index columns) {
  return (columns + lanes() - 1) / lanes() * lanes();
}

/// tile_rows rows by V vectors of y, from row `first` and column `column` on; the last row is repeated where there are fewer.
template <int V>
HWY_INLINE void add_tile(const NarrowProduct& p, Index first, Index column) {
  const Index L = lanes(), rows = HWY_MIN(p.rows - first, Index{tile_rows});
  const float* a[tile_rows];
  for (int r = 0; r < tile_rows; ++r) a[r] = p.a + (first + HWY_MIN(Index{r}, rows - 1)) * p.a_row;
  Vector sum[tile_rows][V];
  clear(sum);
  const float* b = p.b + column;
  for (Index j = 0; j < p.terms; ++j, b += p.width) {
    Vector own[V];
#pragma GCC unroll 4
    for (int c = 0; c < V; ++c) own[c] = hn::LoadU(Floats(), b + c * L);
#pragma GCC unroll 8
    for (int r = 0; r < tile_rows; ++r) {
      const Vector x = all(a[r][j * p.a_term]);
#pragma GCC unroll 4
      for (int c = 0; c < V; ++c) sum[r][c] = hn::MulAdd(x, own[c], sum[r][c]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < tile_rows; ++r) {
    if (r >= rows) break;
    float* const y = p.y + (first + r) * p.width + column;
#pragma GCC unroll 4
    for (int c = 0; c < V; ++c)
      hn::StoreU(hn::Add(hn::LoadU(Floats(), y + c * L), sum[r][c]), Floats(), y + c * L);
  }
}

void narrow_product(const NarrowProduct& p) {
  const Index L = lanes();
  for (Index column = 0; column < p.width;) {
    const Index left = (p.width - column) / L;
    for (Index first = 0; first < p.rows; first += tile_rows) {
      if (left >= 3)
        add_tile<3>(p, first, column);
      else if (left == 2)
        add_tile<2>(p, first, column);
      else
        add_tile<1>(p, first, column);
    }
    column += HWY_MIN(left, Index{3}) * L;
  }
}

template <int V, class At>
HWY_INLINE void back_tile(const WeightsBack& w, Index first, Index key, At at) {
  const Index L = lanes(), rows = HWY_MIN(w.queries - first, Index{tile_rows});
  const float* g[tile_rows];
  for (int r = 0; r < tile_rows; ++r) g[r] = w.g + (first + HWY_MIN(Index{r}, rows - 1)) * w.g_step;
  Vector sum[tile_rows][V];
  clear(sum);
  multiply(g, w.v_turned + key, w.v_step, w.width, sum);
#pragma GCC unroll 8
  for (int r = 0; r < tile_rows; ++r) {
    if (r >= rows) break;
    const float* const p = w.p + (first + r) * w.p_step + key;
    float* const ds = w.ds + (first + r) * w.ds_step + key;
    const Vector mean = all(w.mean[first + r]);
#pragma GCC unroll 4
    for (int c = 0; c < V; ++c) at.store(hn::Mul(at.load(p + c * L), hn::Sub(sum[r][c], mean)), ds + c * L);
  }
}

void back_through_weights(const WeightsBack& w) {
  const Index L = lanes();
  Index key = 0;
  for (; key + 3 * L <= w.keys; key += 3 * L)
    for (Index first = 0; first < w.queries; first += tile_rows) back_tile<3>(w, first, key, Whole{});
  for (; key < w.keys; key += L)
    for (Index first = 0; first < w.queries; first += tile_rows)
      back_tile<1>(w, first, key, Part{static_cast<std::size_t>(HWY_MIN(L, w.keys - key))});
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::simd {

HWY_EXPORT(whole_vectors);
HWY_EXPORT(narrow_product);
HWY_EXPORT(back_through_weights);

std::int64_t narrow_width(std::int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(whole_vectors)(columns);
}

void add_narrow_product(const NarrowProduct& p) {
  HWY_DYNAMIC_DISPATCH(narrow_product)(p);
}

void weights_back(const WeightsBack& w) {
  HWY_DYNAMIC_DISPATCH(back_through_weights)(w);
}

}  // namespace orrery::simd
#endif
