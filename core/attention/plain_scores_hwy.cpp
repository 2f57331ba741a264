#include "core/attention/plain_scores_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/plain_scores_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/attention/plain_hiding.h"
#include "core/attention/plain_tiles.h"
#include "core/simd/fetcher.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using Sums = WideVector[tile_queries][panel_vectors];

PlainTile tile_of_plain() {
  return {tile_queries, panel_keys(), keys_together()};
}

void queries_of_tile(const Rows& q, double factor, double* tile) {
  for (Index r = 0; r < tile_queries; ++r) {
    const float* const x = q.x + HWY_MIN(r, q.count - 1) * q.stride;
    for (Index j = 0; j < q.d; j += terms_at_a_time) {
      const Index terms = HWY_MIN(terms_at_a_time, q.d - j);
      double* const to = tile + tile_queries * j + r * terms;
      for (Index i = 0; i < terms; ++i) to[i] = factor * static_cast<double>(x[j + i]);
    }
  }
}

/// A query's sums, rounded to float.
HWY_INLINE Vector narrowed(const WideVector (&sum)[panel_vectors]) {
#if HWY_TARGET == HWY_SCALAR
  // Not DemoteTo, which makes the largest float of what is beyond it.
  return hn::Set(Floats(), static_cast<float>(hn::GetLane(sum[0])));
#else
  const hn::Half<Floats> half;
  return hn::Combine(Floats(), hn::DemoteTo(half, sum[1]), hn::DemoteTo(half, sum[0]));
#endif
}

HWY_INLINE void scale(double factor, WideVector (&sum)[panel_vectors]) {
#pragma GCC unroll 2
  for (int c = 0; c < panel_vectors; ++c) sum[c] = hn::Mul(sum[c], hn::Set(Doubles(), factor));
}

/// sum[r][c] = Σ_j q[r][j] k[c][j] of a tile and of the first V vectors of a panel; 0 beyond.
template <int V, bool streamed>
HWY_INLINE void multiply(const double* q, const double* k, Index d, Sums& sum, Hiding<streamed>& hiding) {
  const Index L = doubles();
#pragma GCC unroll 12
  for (int r = 0; r < tile_queries; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < panel_vectors; ++c) sum[r][c] = hn::Zero(Doubles());
  const auto add = [&](Index j, Index step) HWY_ATTR {
    WideVector keys[V];
#pragma GCC unroll 2
    for (int c = 0; c < V; ++c) keys[c] = hn::Load(Doubles(), k + c * L);
#pragma GCC unroll 12
    for (int r = 0; r < tile_queries; ++r) {
      const WideVector x = hn::Set(Doubles(), q[r * step + j]);
#pragma GCC unroll 2
      for (int c = 0; c < V; ++c) sum[r][c] = hn::MulAdd(x, keys[c], sum[r][c]);
    }
    k += panel_vectors * L;
  };
  for (; d >= terms_at_a_time; d -= terms_at_a_time, q += tile_queries * terms_at_a_time) {
#pragma GCC unroll 4
    for (Index j = 0; j < terms_at_a_time; ++j) add(j, terms_at_a_time);
    hiding.go_on();
  }
  for (Index j = 0; j < d; ++j) add(j, d);
}

/// The queries of a tile: which keys any of them sees, and maybe others between them, and which all of them see.
struct Tile {
  Index query, count;
  Index any_first, any_end, all_first, all_end;
};
HWY_INLINE Tile tile_from(const PlainScores& b, Index query) {
  const Index end = b.block.key + b.block.keys;
  Tile tile{query, HWY_MIN(b.block.rows - query, Index{tile_queries}), end, 0, 0, end};
  for (Index i = query; i < query + tile.count; ++i) {
    tile.any_first = HWY_MIN(tile.any_first, b.operands.first_seen[i]);
    tile.any_end = HWY_MAX(tile.any_end, b.operands.end_seen[i]);
    tile.all_first = HWY_MAX(tile.all_first, b.operands.first_seen[i]);
    tile.all_end = HWY_MIN(tile.all_end, b.operands.end_seen[i]);
  }
  return tile;
}

/// A whole tile's scores of a panel of keys that all its queries see: half a vector goes as it is, because joining two
/// costs as much as a multiply-add.
template <bool streamed>
HWY_INLINE void store_seen(float* s, Index stride, const Sums& sum) {
#pragma GCC unroll 12
  for (int r = 0; r < tile_queries; ++r, s += stride) {
#if HWY_TARGET == HWY_SCALAR
    put<streamed>(narrowed(sum[r]), s);
#else
    const hn::Half<Floats> half;
#pragma GCC unroll 2
    for (int c = 0; c < panel_vectors; ++c) {
      put_half<streamed>(half, hn::DemoteTo(half, sum[r][c]), s + c * doubles());
    }
#endif
  }
}

/// Of any queries and keys: −∞ for those that a query does not see.
template <bool streamed>
HWY_INLINE void store_partly_seen(const PlainScores& b, const Tile& tile, Index key, const Sums& sum) {
  alignas(64) float scores[tile_queries][HWY_MAX(1, HWY_MAX_BYTES / sizeof(float))];
#pragma GCC unroll 12
  for (int r = 0; r < tile_queries; ++r) hn::Store(narrowed(sum[r]), Floats(), scores[r]);
  const Index width = panel_keys(), count = b.block.key + b.block.keys - key;
  // The lanes of keys before n.
  const auto before = [&](Index n) HWY_ATTR {
    return hn::FirstN(Floats(), static_cast<std::size_t>(HWY_MIN(HWY_MAX(n - key, Index{0}), width)));
  };
  for (Index i = 0; i < tile.count; ++i) {
    const Index query = tile.query + i;
    float* const s = b.block.s + query * b.stride + key;
    const auto seen = hn::AndNot(before(b.operands.first_seen[query]), before(b.operands.end_seen[query]));
    const Vector v = hn::IfThenElse(seen, hn::Load(Floats(), scores[i]), all(hidden));
    if (count >= width)
      put<streamed>(v, s);
    else
      Part{static_cast<std::size_t>(count)}.store(v, s);
  }
}

/// A tile's scores of a panel, which is of the keys from `key` on.
template <bool streamed>
HWY_INLINE void tile_scores(const PlainScores& b, const Tile& tile, Index key, const double* panel,
                            Hiding<streamed>& hiding, Fetcher& next) {
  const Index width = panel_keys(), count = HWY_MIN(width, b.block.key + b.block.keys - key);
  float* const s = b.block.s + tile.query * b.stride + key;
  if (tile.any_first >= key + count || tile.any_end <= key) {
    for (Index i = 0; i < tile.count; ++i) hide<streamed>(s + i * b.stride, count);
    return;
  }
  next.go_on();
  hiding.next_part();
  Sums sum;
  const double* const q = b.operands.q + tile.query * b.operands.d;
  // Under a causal mask the last keys that a tile sees are half a panel as often as not.
  if (tile.any_end <= key + doubles())
    multiply<1>(q, panel, b.operands.d, sum, hiding);
  else
    multiply<panel_vectors>(q, panel, b.operands.d, sum, hiding);
  if (b.operands.scaled) {
#pragma GCC unroll 12
    for (int r = 0; r < tile_queries; ++r) scale(b.operands.factors[tile.query + r], sum[r]);
  }
  if (tile.count == tile_queries && tile.all_first <= key && tile.all_end >= key + width)
    store_seen<streamed>(s, b.stride, sum);
  else
    store_partly_seen<streamed>(b, tile, key, sum);
}

template <bool streamed>
void scores_of_block(const PlainScores& b) {
  const Index width = panel_keys(), together = keys_together(),
              end = HWY_MIN(b.block.end, b.block.key + b.block.keys),
              seen = HWY_MAX(end - b.block.first, Index{0});
  const Index tiles = (b.block.rows + tile_queries - 1) / tile_queries, panels = (seen + width - 1) / width,
              groups = (seen + together - 1) / together;
  Tile tile[most_queries / tile_queries];
  for (Index t = 0; t < tiles; ++t) tile[t] = tile_from(b, t * tile_queries);
  Hiding<streamed> hiding(b.unseen, b.stride,
                          HWY_MAX(panels * tiles * (b.operands.d / terms_at_a_time), Index{1}));
  Fetcher next(b.next, HWY_MAX(panels * tiles, Index{1}));
  // Each thread starts elsewhere, where it finds panels to write while others write theirs.
  Index at = groups * b.operands.panels.part / b.operands.panels.parts;
  for (Index i = 0; i < groups; ++i, at = at + 1 < groups ? at + 1 : 0) {
    const Index group = b.block.first + at * together;
    const double* const panel = panels_from(b.operands.panels, group - b.block.key);
    for (Index t = 0; t < tiles; ++t)
      for (Index key = group; key < HWY_MIN(group + together, end); key += width)
        tile_scores(b, tile[t], key, panel + (key - group) * b.operands.d, hiding, next);
  }
  hiding.finish();
}

void plain_scores_of_block(const PlainScores& scores) {
  if (scores.streamed) return scores_of_block<true>(scores);
  scores_of_block<false>(scores);
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(tile_of_plain);
HWY_EXPORT(queries_of_tile);
HWY_EXPORT(plain_scores_of_block);

PlainTile plain_tile() {
  return HWY_DYNAMIC_DISPATCH(tile_of_plain)();
}

void write_queries(const Rows& queries, double factor, double* tile) {
  HWY_DYNAMIC_DISPATCH(queries_of_tile)(queries, factor, tile);
}

void plain_scores(const PlainScores& scores) {
  HWY_DYNAMIC_DISPATCH(plain_scores_of_block)(scores);
}

}  // namespace orrery::attention
#endif
