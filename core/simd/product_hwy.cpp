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

/// One of the panels, and what belongs to it.
struct Panel {
  const float* terms;
  Packing packing;
  const float* start;  ///< or null
  float* y;
  Index columns;
  bool is_first;
};

Panel panel_of(const PanelProduct& p, Index number) {
  const Index width = panel_vectors * lanes(), at = number * width;
  const bool packs = p.packing.from != nullptr;
  return {.terms = p.panels + at * p.count,
          .packing =
              packs ? Packing{p.packing.from + at, p.packing.step, p.packing.to + at * p.count} : Packing(),
          .start = p.start == nullptr ? nullptr : p.start + at,
          .y = p.y + at,
          .columns = p.columns - at < width ? p.columns - at : width,
          .is_first = number == 0};
}

/// A tile of y: `rows` ≤ tile_rows of them from `first` on, in V vectors that hold all of a panel's columns that count.
template <int V>
struct TileOf {
  const Panel& panel;
  Index first, rows;
  float* y;
  Index y_stride;

  TileOf(const PanelProduct& p, const Panel& of, Index from)
      : panel(of),
        first(from),
        rows(p.rows - from < tile_rows ? p.rows - from : Index{tile_rows}),
        y(of.y + from * p.y_stride),
        y_stride(p.y_stride) {}

  bool is_whole() const { return panel.columns >= V * lanes(); }
  HWY_INLINE Part part(int c) const {
    const Index left = panel.columns - c * lanes();
    return {static_cast<std::size_t>(left < 0 ? 0 : left < lanes() ? left : lanes())};
  }
  HWY_INLINE float* at(Index r, int c) const { return y + r * y_stride + c * lanes(); }
};

/// The sums over all terms; where a row of x is missing, those of the last one that there is. `packs`: the panel is made
/// meanwhile.
template <int V, bool packs>
HWY_INLINE void sum_up(const PanelProduct& p, const TileOf<V>& tile, Fetcher& next, TileSums<V>& total) {
  const Index L = lanes(), width = panel_vectors * L;
  const Panel& panel = tile.panel;
  // What comes next is asked for in the last quarter: x, which goes by meanwhile, would drive it out of the cache again.
  const bool late = 4 * (tile.first + tile.rows) > 3 * p.rows;
  const float* x[tile_rows];
  for (int r = 0; r < tile_rows; ++r)
    x[r] = p.x + (tile.first + (r < tile.rows ? r : tile.rows - 1)) * p.x_stride;

  TileSums<V> sum;
  clear(sum);
  clear(total);
  for (Index k = 0; k < p.count; k += terms_at_a_time) {
    if (late) next.go_on();
    // The next tile's part of x, for all panels, and row by row of y.
    if (panel.is_first)
#pragma GCC unroll 8
      for (int r = 0; r < tile_rows; ++r) fetch(x[r] + k + tile_rows * p.x_stride);
    if (const Index r = k / terms_at_a_time; r < tile_rows && !p.finish.streamed)
      for (int c = 0; c <= V; ++c) fetch_to_write(tile.at(tile_rows + r, 0) + HWY_MIN(c * L, V * L - 1));
    // Pointers from here on: with indices from the start of the panel it takes 1 % longer.
    const float* const terms = panel.terms + k * width;
    const Packing packing{panel.packing.from + (packs ? k * panel.packing.step : 0), panel.packing.step,
                          panel.packing.to + (packs ? k * width : 0)};
    const auto column = [=](Index j, int c) HWY_ATTR {
      if constexpr (!packs) return hn::LoadU(Floats(), terms + j * width + c * L);
      const Vector v = hn::LoadU(Floats(), packing.from + j * packing.step + c * L);
      hn::StoreU(v, Floats(), packing.to + j * width + c * L);
      return v;
    };
    multiply_by(x, k, HWY_MIN(terms_at_a_time, p.count - k), column, sum);
    if ((k + terms_at_a_time) % terms_of_a_sum != 0) continue;
    add<V>(sum, total);
    clear(sum);
  }
  if (p.count % terms_of_a_sum != 0) add<V>(sum, total);
}

/// The sums are changed where they lie side by side, and go to y.
template <int V>
HWY_INLINE void put_away(const PanelProduct& p, const TileOf<V>& tile, const TileSums<V>& total) {
  const Index L = lanes();
  const float* const start = tile.panel.start;
  alignas(64) float sums[tile_rows * V * HWY_MAX_BYTES / sizeof(float)];
  for (Index r = 0; r < tile.rows; ++r)
    for (int c = 0; c < V; ++c) {
      const Vector before = start != nullptr  ? hn::LoadU(Floats(), start + c * L)
                            : tile.is_whole() ? hn::LoadU(Floats(), tile.at(r, c))
                                              : tile.part(c).load(tile.at(r, c));
      hn::StoreU(hn::Add(before, total[r][c]), Floats(), sums + (r * V + c) * L);
    }
  if (p.finish.change != nullptr)
    p.finish.change(p.finish.own, sums, tile.rows, HWY_MIN(tile.panel.columns, V * L), V * L);
  for (Index r = 0; r < tile.rows; ++r)
    for (int c = 0; c < V; ++c) {
      const Vector v = hn::LoadU(Floats(), sums + (r * V + c) * L);
      if (!tile.is_whole())
        tile.part(c).store(v, tile.at(r, c));
      else if (p.finish.streamed)
        put<true>(v, tile.at(r, c));
      else
        put<false>(v, tile.at(r, c));
    }
}

template <int V>
HWY_INLINE void multiply_tile(const PanelProduct& p, const Panel& panel, Index first, Fetcher& next) {
  const TileOf<V> tile(p, panel, first);
  TileSums<V> total;
  if (first == 0 && panel.packing.from != nullptr)
    sum_up<V, true>(p, tile, next, total);
  else
    sum_up<V, false>(p, tile, next, total);
  put_away<V>(p, tile, total);
}

/// What is asked for meanwhile, in the last quarter of the turns.
Fetcher fetcher(const PanelProduct& p, Index panels) {
  const auto parts = [](Index whole, Index part) { return (whole + part - 1) / part; };
  const Index turns = panels * parts(p.rows, tile_rows) * parts(p.count, terms_at_a_time);
  return {p.next, HWY_MAX(Index{1}, turns / 4)};
}

/// A loop of its own for a single panel, of V vectors: few rows against a large table have nothing else, and are 3 % faster.
template <int V>
void multiply_single(const PanelProduct& p) {
  const Panel panel = panel_of(p, 0);
  Fetcher next = fetcher(p, 1);
  for (Index first = 0; first < p.rows; first += tile_rows) multiply_tile<V>(p, panel, first, next);
}

void multiply_several(const PanelProduct& p, Index panels) {
  Fetcher next = fetcher(p, panels);
  for (Index first = 0; first < p.rows; first += tile_rows)
    for (Index k = 0; k < panels; ++k) {
      const Panel panel = panel_of(p, k);
      if (panel.columns > 2 * lanes())
        multiply_tile<3>(p, panel, first, next);
      else if (panel.columns > lanes())
        multiply_tile<2>(p, panel, first, next);
      else
        multiply_tile<1>(p, panel, first, next);
    }
}

/// The last panel of a narrow matrix may hold a vector or two: nothing is multiplied by the zeros beside them.
void panel_product(const PanelProduct& p) {
  static_assert(panel_vectors == 3);
  const Index width = panel_vectors * lanes();
  if (p.columns > width) return multiply_several(p, (p.columns + width - 1) / width);
  if (p.columns > 2 * lanes()) return multiply_single<3>(p);
  if (p.columns > lanes()) return multiply_single<2>(p);
  multiply_single<1>(p);
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

void multiply_panels(const PanelProduct& p) {
  HWY_DYNAMIC_DISPATCH(panel_product)(p);
}

}  // namespace orrery::simd
#endif
