#include "core/attention/attention_float.h"

#include <algorithm>
#include <numbers>
#include <vector>

#include "core/attention/attention_kernels.h"
#include "core/simd/aligned_room.h"
#include "core/simd/product_kernels.h"
#include "core/simd/share.h"

namespace orrery::attention {

using tensor::Index;
using tensor::View;

namespace {

/// Queries whose exponentials wait in the cache of one core for their sum, a multiple of every tile: more would reuse the
/// keys more often, but 8 × 8192 floats are a quarter of a megabyte already. (8 beats 16 and 32 at every size tried.)
constexpr Index block_queries = 8;

Index rounded_up(Index n, Index multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

using Floats = simd::AlignedRoom<float>;

Floats room(Index count) {
  return simd::aligned_room<float>(count);
}

/// What all blocks share.
class Prepared {
 public:
  Prepared(View<const float> q, View<const float> k, const AttentionParams& params)
      : q_(q),
        keys_(k.rows),
        tile_(tile_shape()),
        panels_(room(rounded_up(k.rows, tile_.keys) * k.cols)),
        first_(static_cast<std::size_t>(q.rows)),
        end_(first_.size()),
        factor_(first_.size()) {
    simd::share(simd::parts(k.rows, tile_.keys), k.size(), [&](Index first, Index end) {
      for (Index n = first * tile_.keys; n < std::min(end * tile_.keys, k.rows); n += tile_.keys)
        simd::pack_panel(k.data + n * k.stride, 1, k.stride, k.cols, std::min(tile_.keys, k.rows - n),
                         panels_.get() + n * k.cols);
    });
    simd::share(q.rows, q.size(), [&](Index first, Index end) {
      for (Index t = first; t < end; ++t) {
        const auto at = static_cast<std::size_t>(t);
        const KeyRange seen = params.scores.mask.range(t, q.rows, k.rows);
        first_[at] = seen.first;
        end_[at] = seen.end;
        factor_[at] = static_cast<float>(score_factor(params.scores, t, q.rows, k.rows, q.cols) /
                                         params.softmax.temperature * std::numbers::log2e);
      }
    });
  }

  const TileShape& tile() const { return tile_; }

  /// Calls store(first query, block, first key, end of keys, sums) for every block of queries, on all threads.
  template <class Store>
  void each_block(Store store) const {
    const Index blocks = (q_.rows + block_queries - 1) / block_queries,
                stride = rounded_up(keys_, tile_.keys);
    // Few queries of few keys already cost much: products and exponentials.
    simd::share_in_turns({.count = blocks, .size = q_.rows * keys_ * 8, .turn = 1}, [&] {
      return [&, exponentials_of_block = room(block_queries * stride),
              sums = room(block_queries * tile_.keys)](Index first, Index end) {
        for (Index number = first; number < end; ++number) {
          // From the end: under a causal mask the last queries see most, and what is left at the end should be small.
          const Index t = (blocks - 1 - number) * block_queries;
          const auto at = static_cast<std::size_t>(t);
          const AttentionBlock block{q_.data + t * q_.stride,
                                     q_.stride,
                                     std::min(block_queries, q_.rows - t),
                                     q_.cols,
                                     panels_.get(),
                                     keys_,
                                     &factor_[at],
                                     &first_[at],
                                     &end_[at],
                                     exponentials_of_block.get(),
                                     stride};
          const auto last = at + static_cast<std::size_t>(block.queries) - 1;
          const Index seen_first = first_[at] / tile_.keys * tile_.keys;
          const Index seen_end = std::max(seen_first, rounded_up(end_[last], tile_.keys));
          exponentials(block, seen_first, seen_end, sums.get());
          store(t, block, seen_first, seen_end, sums.get());
        }
      };
    });
  }

 private:
  View<const float> q_;
  Index keys_;
  TileShape tile_;
  Floats panels_;
  std::vector<std::int64_t> first_, end_;
  std::vector<float> factor_;
};

}  // namespace

void attention_weights_float(View<const float> q, View<const float> k, const AttentionParams& params,
                             View<float> p) {
  const bool streamed = simd::is_streamed(p) && simd::starts_on_lines(p);
  Prepared(q, k, params)
      .each_block([&](Index t, const AttentionBlock& block, Index first, Index end, const float* sums) {
        store_weights(block, first, end, sums, p.row(t).data(), p.stride, streamed);
      });
}

void attention_float(View<const float> q, View<const float> k, View<const float> v,
                     const AttentionParams& params, View<float> o) {
  const Prepared prepared(q, k, params);
  const Index width = rounded_up(v.cols, prepared.tile().values);
  const Floats values = room(v.rows * width);
  simd::share(v.rows, v.size(), [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      std::copy_n(v.row(n).data(), v.cols, values.get() + n * width);
      std::fill(values.get() + n * width + v.cols, values.get() + (n + 1) * width, 0.0f);
    }
  });
  prepared.each_block([&](Index t, const AttentionBlock& block, Index first, Index end, const float* sums) {
    store_values(block, first, end, sums, values.get(), width, o.row(t).data(), o.stride, v.cols);
  });
}

}  // namespace orrery::attention
