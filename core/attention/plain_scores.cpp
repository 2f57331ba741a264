#include "core/attention/plain_scores.h"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/attention/plain_scores_kernels.h"
#include "core/simd/aligned_room.h"
#include "core/simd/share.h"

namespace orrery::attention {
namespace {

using simd::AlignedRoom;
using tensor::Index;
using tensor::View;

/// Queries at a time: tiles that a panel of keys serves, once it is in the first cache; one, where there are hardly enough for all
/// threads.
Index queries_at_a_time(Index queries) {
  const Index tile = plain_tile().queries;
  return tile * std::clamp(queries / (tile * 4 * omp_get_max_threads()), Index{1}, most_queries / tile);
}

Rows rows_of(View<const float> x, Index first, Index count) {
  return {x.data + first * x.stride, count, x.cols, x.stride};
}

AlignedRoom<double> panels_of(View<const float> k) {
  const Index together = plain_tile().keys_together, groups = simd::parts(k.rows, together);
  auto panels = simd::aligned_room<double>(groups * together * k.cols);
  simd::share(groups, k.size(), [&](Index first, Index end) {
    const Index start = first * together, count = std::min(end * together, k.rows) - start;
    if (count > 0) write_keys(rows_of(k, start, count), panels.get() + start * k.cols);
  });
  return panels;
}

/// The scores cut into blocks of queries.
class Blocks {
 public:
  Blocks(View<const float> q, View<const float> k, const ScoresParams& params, View<float> s)
      : q_(q), keys_(k.rows), params_(params), s_(s), size_(queries_at_a_time(q.rows)) {}

  Index size() const { return size_; }
  Index count() const { return simd::parts(q_.rows, size_); }
  Index start(Index block) const { return block * size_; }
  Index rows(Index block) const { return std::min(size_, q_.rows - start(block)); }
  KeyRange seen_by(Index query) const { return params_.mask.range(query, q_.rows, keys_); }

  PlainBlock of(Index block) const {
    KeyRange seen{keys_, 0};
    for (Index query = start(block); query < start(block) + rows(block); ++query) {
      const KeyRange own = seen_by(query);
      if (own.count() > 0) seen = {std::min(seen.first, own.first), std::max(seen.end, own.end)};
    }
    if (seen.count() <= 0) seen = {0, 0};
    const Index together = plain_tile().keys_together;
    return {s_.row(start(block)).data(), rows(block), seen.first / together * together,
            simd::parts(seen.end, together) * together};
  }

 private:
  View<const float> q_;
  Index keys_;
  const ScoresParams& params_;
  View<float> s_;
  Index size_;
};

/// What a thread keeps of a block of queries.
struct Queries {
  Queries(Index most, Index d)
      : q(simd::aligned_room<double>(most * d)),
        factors(static_cast<std::size_t>(most)),
        first(factors.size()),
        end(factors.size()) {}
  AlignedRoom<double> q;
  std::vector<double> factors;
  std::vector<std::int64_t> first, end;
};

}  // namespace

void plain_scores_cpu(View<const float> q, View<const float> k, const ScoresParams& params, View<float> s) {
  const Index d = q.cols, tile = plain_tile().queries;
  const Blocks blocks(q, k, params, s);
  const auto panels = panels_of(k);
  const bool streamed = simd::is_large(s) && simd::starts_on_lines(s);
  // From the end: under a causal mask the last queries see most, and what is left at the end should be small.
  const auto block_of_turn = [&](Index turn) { return blocks.count() - 1 - turn; };
  const auto queries_of_turn = [&](Index turn) -> simd::Ahead {
    if (turn >= blocks.count()) return {};
    const Index block = block_of_turn(turn);
    return {q.row(blocks.start(block)).data(), q.stride, blocks.rows(block), d};
  };
  simd::share_in_turns({.count = blocks.count(), .size = s.size() * d / 2, .turn = 1}, [&] {
    return [&, own = Queries(blocks.size(), d)](Index first, Index end, Index next) mutable {
      for (Index turn = first; turn < end; ++turn) {
        const Index block = block_of_turn(turn), start = blocks.start(block), rows = blocks.rows(block);
        for (Index i = 0; i < rows; i += tile)
          write_queries(rows_of(q, start + i, std::min(tile, rows - i)), own.q.get() + i * d);
        for (Index i = 0; i < rows; ++i) {
          const auto at = static_cast<std::size_t>(i);
          own.factors[at] = score_factor(params, start + i, q.rows, k.rows, d);
          const KeyRange seen = blocks.seen_by(start + i);
          own.first[at] = seen.first;
          own.end[at] = seen.end;
        }
        plain_scores({.block = blocks.of(block),
                      .q = own.q.get(),
                      .panels = panels.get(),
                      .factors = own.factors.data(),
                      .first_seen = own.first.data(),
                      .end_seen = own.end.data(),
                      // The last queries leave memory the most time for what the first ones do not see.
                      .unseen = blocks.of(turn),
                      .next = queries_of_turn(turn + 1 < end ? turn + 1 : next),
                      .d = d,
                      .keys = k.rows,
                      .stride = s.stride,
                      .streamed = streamed});
      }
    };
  });
}

}  // namespace orrery::attention
