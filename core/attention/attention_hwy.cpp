#include <hwy/cache_control.h>

#include "core/attention/attention_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/attention_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/exp.h"
#include "core/simd/multiply.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)
using Index = std::int64_t;

constexpr int tile_queries = tile_rows, value_vectors = 2;

TileShape shape() {
  return {tile_queries, panel_vectors * lanes(), value_vectors * lanes()};
}

/// Query t of a tile; beyond the block's last one, that one again.
HWY_INLINE Index in_block(const AttentionBlock& b, Index t) {
  return t < b.queries ? t : b.queries - 1;
}

/// Lanes that stand for the keys first … end, when lane 0 stands for `key`.
HWY_INLINE hn::Mask<Floats> lanes_between(Index key, Index first, Index end) {
  const hn::RebindToSigned<Floats> ints;
  const auto place = hn::Iota(ints, 0);
  const auto at_least_first = hn::Gt(place, hn::Set(ints, static_cast<std::int32_t>(first - key - 1)));
  const auto before_end = hn::Lt(place, hn::Set(ints, static_cast<std::int32_t>(end - key)));
  return hn::RebindMask(Floats(), hn::And(at_least_first, before_end));
}

/// One tile of queries from t on against the panel of keys from `key` on.
HWY_INLINE void exponentials_of_tile(const AttentionBlock& b, Index t, Index key, float* sums) {
  const Index L = lanes(), width = panel_vectors * L;
  const float* rows[tile_queries];
  bool whole = true;
  for (int r = 0; r < tile_queries; ++r) {
    const Index query = in_block(b, t + r);
    rows[r] = b.q + query * b.q_stride;
    whole = whole && b.first[query] <= key && key + width <= b.end[query];
  }
  Vector sum[tile_queries][panel_vectors];
  clear(sum);
  multiply(rows, b.panels + key * b.d, width, b.d, sum);

#pragma GCC unroll 8
  for (int r = 0; r < tile_queries; ++r) {
    const Index query = in_block(b, t + r);
    const Vector factor = all(b.factor[query]);
    float* const out = b.exponentials + (t + r) * b.exponentials_stride + key;
    Vector total = hn::Load(Floats(), sums + (t + r) * L);
#pragma GCC unroll 4
    for (int c = 0; c < panel_vectors; ++c) sum[r][c] = hn::Mul(sum[r][c], factor);
    exp2_scaled<0>(sum[r]);
#pragma GCC unroll 4
    for (int c = 0; c < panel_vectors; ++c) {
      Vector e = sum[r][c];
      if (!whole) e = hn::IfThenElseZero(lanes_between(key + c * L, b.first[query], b.end[query]), e);
      hn::Store(e, Floats(), out + c * L);
      total = hn::Add(total, e);
    }
    hn::Store(total, Floats(), sums + (t + r) * L);
  }
}

void exponentials_of_block(const AttentionBlock& b, Index seen_first, Index seen_end, float* sums) {
  const Index L = lanes();
  for (Index t = 0; t < b.queries; t += tile_queries)
    for (int r = 0; r < tile_queries; ++r) hn::Store(hn::Zero(Floats()), Floats(), sums + (t + r) * L);
  for (Index key = seen_first; key < seen_end; key += panel_vectors * L)
    for (Index t = 0; t < b.queries; t += tile_queries) exponentials_of_tile(b, t, key, sums);
}

/// 1/Σ of a query; a query that sees nothing has zeros to multiply.
HWY_INLINE float inverse_sum(const float* sums, Index t) {
  const float sum = hn::GetLane(hn::SumOfLanes(Floats(), hn::Load(Floats(), sums + t * lanes())));
  return sum > 0 ? 1 / sum : 0;
}

template <bool streamed>
HWY_INLINE void weights_of_block(const AttentionBlock& b, Index seen_first, Index seen_end, const float* sums,
                                 float* p, Index p_stride) {
  for (Index t = 0; t < b.queries; ++t) {
    const Vector inverse = all(inverse_sum(sums, t));
    const float* const e = b.exponentials + t * b.exponentials_stride;
    float* const row = p + t * p_stride;
    const auto zeros = [](auto, std::size_t) HWY_ATTR { return hn::Zero(Floats()); };
    const Index end = seen_end < b.keys ? seen_end : b.keys;
    fill<streamed>(row, static_cast<std::size_t>(seen_first), zeros);
    fill<streamed>(row + seen_first, static_cast<std::size_t>(end - seen_first),
                   [e = e + seen_first, inverse](auto, std::size_t j)
                       HWY_ATTR { return hn::Mul(hn::Load(Floats(), e + j), inverse); });
    fill<streamed>(row + end, static_cast<std::size_t>(b.keys - end), zeros);
  }
}

void weights(const AttentionBlock& b, Index seen_first, Index seen_end, const float* sums, float* p,
             Index p_stride, bool streamed) {
  if (streamed) {
    weights_of_block<true>(b, seen_first, seen_end, sums, p, p_stride);
    hwy::FlushStream();
  } else {
    weights_of_block<false>(b, seen_first, seen_end, sums, p, p_stride);
  }
}

void values(const AttentionBlock& b, Index seen_first, Index seen_end, const float* sums, const float* v,
            Index width, float* o, Index o_stride, Index columns) {
  const Index L = lanes(), end = seen_end < b.keys ? seen_end : b.keys;
  for (Index t = 0; t < b.queries; t += tile_queries) {
    const float* rows[tile_queries];
    for (int r = 0; r < tile_queries; ++r)
      rows[r] = b.exponentials + (t + r) * b.exponentials_stride + seen_first;
    for (Index column = 0; column < width; column += value_vectors * L) {
      Vector sum[tile_queries][value_vectors];
      clear(sum);
      multiply(rows, v + seen_first * width + column, width, end - seen_first, sum);
      for (int r = 0; r < tile_queries && t + r < b.queries; ++r) {
        const Vector inverse = all(inverse_sum(sums, t + r));
        float* const out = o + (t + r) * o_stride + column;
        for (int c = 0; c < value_vectors; ++c) {
          const Index left = columns - column - c * L;
          if (left <= 0) break;
          const Vector mean = hn::Mul(sum[r][c], inverse);
          if (left >= L)
            hn::StoreU(mean, Floats(), out + c * L);
          else
            Part{static_cast<std::size_t>(left)}.store(mean, out + c * L);
        }
      }
    }
  }
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(shape);
HWY_EXPORT(exponentials_of_block);
HWY_EXPORT(weights);
HWY_EXPORT(values);

TileShape tile_shape() {
  return HWY_DYNAMIC_DISPATCH(shape)();
}

void exponentials(const AttentionBlock& b, std::int64_t seen_first, std::int64_t seen_end, float* sums) {
  HWY_DYNAMIC_DISPATCH(exponentials_of_block)(b, seen_first, seen_end, sums);
}

void store_weights(const AttentionBlock& b, std::int64_t seen_first, std::int64_t seen_end, const float* sums,
                   float* p, std::int64_t p_stride, bool streamed) {
  HWY_DYNAMIC_DISPATCH(weights)(b, seen_first, seen_end, sums, p, p_stride, streamed);
}

void store_values(const AttentionBlock& b, std::int64_t seen_first, std::int64_t seen_end, const float* sums,
                  const float* v, std::int64_t width, float* o, std::int64_t o_stride, std::int64_t columns) {
  HWY_DYNAMIC_DISPATCH(values)(b, seen_first, seen_end, sums, v, width, o, o_stride, columns);
}

}  // namespace orrery::attention
#endif
