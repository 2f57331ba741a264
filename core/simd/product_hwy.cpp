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

void pack_tile(const float* x, Index stride, Index rows, Index count, float* packed) {
  constexpr Index n = terms_at_a_time;
  for (Index r = 0; r < tile_rows; ++r) {
    const float* const row = x + HWY_MIN(r, rows - 1) * stride;
    float* to = packed + r * n;
    Index k = 0;
    for (; k + n <= count; k += n, to += tile_rows * n)
      for (Index i = 0; i < n; i += lanes()) hn::StoreU(hn::LoadU(Floats(), row + k + i), Floats(), to + i);
    for (Index i = 0; k < count && i < n; ++i) to[i] = k + i < count ? row[k + i] : 0;
  }
}

/// A tile's rows of x where they lie.
class StridedTile {
 public:
  HWY_INLINE StridedTile(const PanelProduct& p, Index first, Index rows)
      : next_tile_(tile_rows * p.x_stride) {
    for (int r = 0; r < tile_rows; ++r) x_[r] = p.x + (first + HWY_MIN(Index{r}, rows - 1)) * p.x_stride;
  }
  template <int V>
  HWY_INLINE void multiply_some(const float* panel, Index terms, TileSums<V>& sum) {
    for (int r = 0; r < tile_rows; ++r) fetch(x_[r] + next_tile_);
    multiply(x_, panel, panel_vectors * lanes(), terms, sum);
    for (int r = 0; r < tile_rows; ++r) x_[r] += terms_at_a_time;
  }

 private:
  const float* x_[tile_rows];
  Index next_tile_;
};

/// The same, packed: all are reached from one place, and never drive each other out of the cache.
class PackedTile {
 public:
  HWY_INLINE PackedTile(const PanelProduct& p, Index first, Index)
      : x_(p.x + first / tile_rows * p.x_stride) {}
  template <int V>
  HWY_INLINE void multiply_some(const float* panel, Index terms, TileSums<V>& sum) {
    const Index L = lanes(), width = panel_vectors * L;
    const auto add_term = [&](Index j) HWY_ATTR {
      Vector column[V];
#pragma GCC unroll 4
      for (int c = 0; c < V; ++c) column[c] = hn::LoadU(Floats(), panel + c * L);
#pragma GCC unroll 8
      for (int r = 0; r < tile_rows; ++r) {
        const Vector x = all(x_[r * terms_at_a_time + j]);
#pragma GCC unroll 4
        for (int c = 0; c < V; ++c) sum[r][c] = hn::MulAdd(x, column[c], sum[r][c]);
      }
      panel += width;
    };
    if (terms == terms_at_a_time) {
#pragma GCC unroll 4
      for (Index j = 0; j < terms_at_a_time; ++j) add_term(j);
    } else {
      for (Index j = 0; j < terms; ++j) add_term(j);
    }
    x_ += tile_rows * terms_at_a_time;
  }

 private:
  const float* x_;
};

/// One tile: `rows` ≤ tile_rows of them, the last one repeated where fewer; V vectors hold all columns that count.
template <int V, class XTile>
HWY_INLINE void multiply_tile(const PanelProduct& p, Index first, Index rows, Fetcher& next) {
  const Index L = lanes(), width = panel_vectors * L;
  // What comes next is asked for in the last quarter: x, which goes by meanwhile, would drive it out of the cache again.
  const bool late = 4 * (first + rows) > 3 * p.rows;
  XTile x(p, first, rows);

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
    // Row by row of the next tile's part of y.
    if (const Index r = k / terms_at_a_time; r < tile_rows) {
      const float* const y = p.y + (first + tile_rows + r) * p.y_stride;
      for (int c = 0; c <= V; ++c) fetch_to_write(y + HWY_MIN(c * L, V * L - 1));
    }
    x.multiply_some(p.panel + k * width, HWY_MIN(terms_at_a_time, p.count - k), sum);
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

template <int V, class XTile>
void multiply_tiles(const PanelProduct& p) {
  const auto parts = [](Index whole, Index part) { return (whole + part - 1) / part; };
  Fetcher next(p.next, HWY_MAX(Index{1}, parts(p.rows, tile_rows) * parts(p.count, terms_at_a_time) / 4));
  for (Index first = 0; first < p.rows; first += tile_rows)
    multiply_tile<V, XTile>(p, first, p.rows - first < tile_rows ? p.rows - first : Index{tile_rows}, next);
}

/// The last panel of a narrow matrix may hold a vector or two: nothing is multiplied by the zeros beside them.
template <class XTile>
void multiply_columns(const PanelProduct& p) {
  static_assert(panel_vectors == 3);
  if (p.columns > 2 * lanes()) return multiply_tiles<3, XTile>(p);
  if (p.columns > lanes()) return multiply_tiles<2, XTile>(p);
  multiply_tiles<1, XTile>(p);
}

void panel_product(const PanelProduct& p) {
  if (p.packed) return multiply_columns<PackedTile>(p);
  multiply_columns<StridedTile>(p);
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::simd {

HWY_EXPORT(tile);
HWY_EXPORT(pack);
HWY_EXPORT(pack_tile);
HWY_EXPORT(panel_product);

Tile product_tile() {
  return HWY_DYNAMIC_DISPATCH(tile)();
}

void pack_panel(const float* b, std::int64_t row_step, std::int64_t column_step, std::int64_t count,
                std::int64_t left, float* panel) {
  HWY_DYNAMIC_DISPATCH(pack)(b, row_step, column_step, count, left, panel);
}

std::int64_t packed_size(std::int64_t count) {
  return (count + terms_at_a_time - 1) / terms_at_a_time * terms_at_a_time * product_tile().rows;
}

void pack_rows(const float* x, std::int64_t stride, std::int64_t rows, std::int64_t count, float* packed) {
  HWY_DYNAMIC_DISPATCH(pack_tile)(x, stride, rows, count, packed);
}

void multiply_panel(const PanelProduct& p) {
  HWY_DYNAMIC_DISPATCH(panel_product)(p);
}

}  // namespace orrery::simd
#endif
