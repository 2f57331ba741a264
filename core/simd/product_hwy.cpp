#include "core/simd/product_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/product_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/fetcher.h"
#include "core/simd/multiply.h"
#include "core/simd/turned.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

using Index = std::int64_t;

Tile tile() {
  return {tile_rows, panel_vectors * lanes()};
}

#if HWY_TARGET != HWY_SCALAR
/// A panel of whole vectors out of columns whose terms lie side by side. Returns how many terms are done.
HWY_INLINE Index turn(const float* b, Index column_step, Index count, float* panel, Index width) {
  // Few columns at a time, so that their lines are in the first cache when the next four terms are wanted.
  for (Index n = 0; n < width; n += lanes())
    for (Index k = 0; k + 4 <= count; k += 4) {
      const Turned t = turned(b + n * column_step + k, column_step);
      for (int i = 0; i < 4; ++i) hn::StoreU(t.v[i], Floats(), panel + (k + i) * width + n);
    }
  return count / 4 * 4;
}
#else
Index turn(const float*, Index, Index, float*, Index) {
  return 0;
}
#endif

void pack(const float* b, Index row_step, Index column_step, Index count, Index left, float* panel) {
  const Index width = panel_vectors * lanes();
  Index k = 0;
  if (left >= width && row_step == 1) k = turn(b, column_step, count, panel, width);
  if (left >= width && column_step == 1) {
    for (; k < count; ++k)
      for (Index n = 0; n < width; n += lanes())
        hn::StoreU(hn::LoadU(Floats(), b + k * row_step + n), Floats(), panel + k * width + n);
  }
  // The last panel may be narrow, and terms may be left over.
  for (Index n = 0; n < width && k < count; ++n)
    for (Index i = k; i < count; ++i) panel[i * width + n] = n < left ? b[i * row_step + n * column_step] : 0;
}

/// So many terms are multiplied at a time: those of a row lie in one line or two.
constexpr Index terms_at_a_time = 16;
/// So many make a sum of their own: an error grows with the number of additions that a term goes through.
constexpr Index terms_of_a_sum = 64;

template <int V>
using TileSums = Vector[tile_rows][V];

template <int V>
HWY_INLINE void add(const TileSums<V>& sum, TileSums<V>& total) {
#pragma GCC unroll 8
  for (int r = 0; r < tile_rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < V; ++c) total[r][c] = hn::Add(total[r][c], sum[r][c]);
}

/// One tile: `rows` ≤ tile_rows of them, the last one repeated where fewer; V vectors hold all columns that count.
template <int V>
HWY_INLINE void multiply_tile(const PanelProduct& p, Index first, Index rows, Fetcher& next) {
  const Index L = lanes(), width = panel_vectors * L;
  // What comes next is asked for in the last quarter: x, which goes by meanwhile, would drive it out of the cache again.
  const bool late = 4 * (first + rows) > 3 * p.rows;
  const float* x[tile_rows];
  for (int r = 0; r < tile_rows; ++r) x[r] = p.x + (first + (r < rows ? r : rows - 1)) * p.x_stride;

  const bool whole = p.columns >= V * L;
  const auto part = [&](int c) HWY_ATTR {
    const Index left = p.columns - c * L;
    return Part{static_cast<std::size_t>(left < 0 ? 0 : left < L ? left : L)};
  };
  TileSums<V> sum, total;
  clear(sum);
  clear(total);
  for (Index k = 0; k < p.count; k += terms_at_a_time) {
    if (late) next.go_on();
    // The next tile's part of x, and row by row of y.
    for (int r = 0; r < tile_rows; ++r) fetch(x[r] + tile_rows * p.x_stride);
    if (const Index r = k / terms_at_a_time; r < tile_rows) {
      const float* const y = p.y + (first + tile_rows + r) * p.y_stride;
      for (int c = 0; c <= V; ++c) fetch_to_write(y + HWY_MIN(c * L, V * L - 1));
    }
    multiply(x, p.panel + k * width, width, HWY_MIN(terms_at_a_time, p.count - k), sum);
    for (int r = 0; r < tile_rows; ++r) x[r] += terms_at_a_time;
    if ((k + terms_at_a_time) % terms_of_a_sum != 0) continue;
    add<V>(sum, total);
    clear(sum);
  }
  if (p.count % terms_of_a_sum != 0) add<V>(sum, total);
  for (int r = 0; r < rows; ++r) {
    float* y = p.y + (first + r) * p.y_stride;
    for (int c = 0; c < V; ++c) {
      const Vector before = p.start != nullptr ? hn::LoadU(Floats(), p.start + c * L)
                            : whole            ? hn::LoadU(Floats(), y + c * L)
                                               : part(c).load(y + c * L);
      const Vector after = hn::Add(before, total[r][c]);
      if (whole)
        hn::StoreU(after, Floats(), y + c * L);
      else
        part(c).store(after, y + c * L);
    }
  }
}

template <int V>
void multiply_tiles(const PanelProduct& p) {
  const auto parts = [](Index whole, Index part) { return (whole + part - 1) / part; };
  Fetcher next(p.next, HWY_MAX(Index{1}, parts(p.rows, tile_rows) * parts(p.count, terms_at_a_time) / 4));
  for (Index first = 0; first < p.rows; first += tile_rows)
    multiply_tile<V>(p, first, p.rows - first < tile_rows ? p.rows - first : Index{tile_rows}, next);
}

/// The last panel of a narrow matrix may hold a vector or two: nothing is multiplied by the zeros beside them.
void panel_product(const PanelProduct& p) {
  static_assert(panel_vectors == 3);
  if (p.columns > 2 * lanes()) return multiply_tiles<3>(p);
  if (p.columns > lanes()) return multiply_tiles<2>(p);
  multiply_tiles<1>(p);
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::simd {

HWY_EXPORT(tile);
HWY_EXPORT(pack);
HWY_EXPORT(panel_product);

Tile product_tile() {
  return HWY_DYNAMIC_DISPATCH(tile)();
}

void pack_panel(const float* b, std::int64_t row_step, std::int64_t column_step, std::int64_t count,
                std::int64_t left, float* panel) {
  HWY_DYNAMIC_DISPATCH(pack)(b, row_step, column_step, count, left, panel);
}

void multiply_panel(const PanelProduct& p) {
  HWY_DYNAMIC_DISPATCH(panel_product)(p);
}

}  // namespace orrery::simd
#endif
