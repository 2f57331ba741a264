#include "core/attention/plain_scores.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/attention/plain_scores_kernels.h"
#include "core/simd/aligned_room.h"
#include "core/simd/share.h"

namespace orrery::attention {
namespace {

using simd::AlignedRoom;
using tensor::Index;
using tensor::View;

/// Queries at a time: tiles that a panel of keys serves while it is in the first cache; one, where there are hardly enough for
/// all threads.
Index queries_at_a_time(Index queries) {
  const Index tile = plain_tile().queries;
  return tile * std::clamp(queries / (tile * 4 * omp_get_max_threads()), Index{1}, most_queries / tile);
}

Index to_panels(Index keys) {
  const Index together = plain_tile().keys_together;
  return simd::parts(keys, together) * together;
}

/// Keys at a time: as many as have four megabytes of panels. Fewer mean more pieces; more cost each thread so much more memory.
Index keys_at_a_time(Index keys, Index d) {
  constexpr Index numbers = Index{1} << 19;
  return to_panels(std::clamp(numbers / std::max(d, Index{1}), Index{1}, std::max(keys, Index{1})));
}

Rows rows_of(View<const float> x, Index first, Index count) {
  return {x.data + first * x.stride, count, x.cols, x.stride};
}

struct Piece {
  Index query, queries, key, keys;
};

/// The scores cut into pieces, in the order in which threads take them.
class Pieces {
 public:
  Pieces(View<const float> q, View<const float> k, const Mask& mask, View<float> s)
      : queries_(q.rows),
        keys_(k.rows),
        s_(s),
        rows_at_a_time_(queries_at_a_time(q.rows)),
        columns_at_a_time_(keys_at_a_time(k.rows, q.cols)),
        first_seen_(static_cast<std::size_t>(queries_)),
        end_seen_(static_cast<std::size_t>(queries_)) {
    for (Index first = 0; first < queries_; first += rows_at_a_time_) {
      KeyRange all{keys_, 0};
      for (Index query = first; query < std::min(first + rows_at_a_time_, queries_); ++query) {
        const KeyRange seen = mask.range(query, queries_, keys_);
        first_seen_[static_cast<std::size_t>(query)] = seen.first;
        end_seen_[static_cast<std::size_t>(query)] = seen.end;
        if (seen.count() > 0) all = {std::min(all.first, seen.first), std::max(all.end, seen.end)};
      }
      seen_of_rows_.push_back(all);
    }
  }

  Index rows_at_a_time() const { return rows_at_a_time_; }
  Index columns_at_a_time() const { return columns_at_a_time_; }
  Index count() const { return rows() * columns(); }
  /// All queries by some keys, whose panels are there then; where threads are as many as rows, each has keys of its own. From the
  /// end: under a causal mask the last queries see most, and what is left at the end should be small.
  Piece of_turn(Index turn) const {
    if (rows() <= omp_get_max_threads()) return at(rows() - 1 - turn / columns(), turn % columns());
    return at(rows() - 1 - turn % rows(), turn / rows());
  }
  /// What is hidden meanwhile: of the first queries where the last ones are at work, which leave memory the most time. The more
  /// keys of the piece are seen, the more.
  Piece hidden_beside(const Piece& piece) const {
    Piece hidden = at(rows() - 1 - piece.query / rows_at_a_time_, 0);
    const KeyRange seen = seen_by_row(piece);
    hidden.key = share_of_keys(seen, piece.key);
    hidden.keys = share_of_keys(seen, piece.key + piece.keys) - hidden.key;
    return hidden;
  }

  PlainBlock block(const Piece& piece) const {
    const KeyRange seen = seen_by_row(piece);
    const Index together = plain_tile().keys_together, piece_end = piece.key + to_panels(piece.keys),
                first = std::clamp(seen.first / together * together, piece.key, piece_end);
    return {.s = s_.row(piece.query).data(),
            .first_seen = first_seen_.data() + piece.query,
            .end_seen = end_seen_.data() + piece.query,
            .rows = piece.queries,
            .key = piece.key,
            .keys = piece.keys,
            .first = first,
            .end = std::clamp(to_panels(seen.end), first, piece_end)};
  }

 private:
  KeyRange seen_by_row(const Piece& piece) const {
    return seen_of_rows_[static_cast<std::size_t>(piece.query / rows_at_a_time_)];
  }
  Index rows() const { return simd::parts(queries_, rows_at_a_time_); }
  Index columns() const { return simd::parts(keys_, columns_at_a_time_); }
  /// As large a part of all keys as comes before `key` of those that are seen, in whole panels; all where none comes behind.
  Index share_of_keys(const KeyRange& seen, Index key) const {
    if (key >= std::max(seen.end, Index{1})) return keys_;
    const double before =
        static_cast<double>(std::max(key - seen.first, Index{0})) / static_cast<double>(seen.count());
    return std::min(to_panels(static_cast<Index>(before * static_cast<double>(keys_))), keys_);
  }
  Piece at(Index row, Index column) const {
    const Index query = row * rows_at_a_time_, key = column * columns_at_a_time_;
    return {query, std::min(rows_at_a_time_, queries_ - query), key,
            std::min(columns_at_a_time_, keys_ - key)};
  }

  Index queries_, keys_;
  View<float> s_;
  Index rows_at_a_time_, columns_at_a_time_;
  std::vector<std::int64_t> first_seen_, end_seen_;
  std::vector<KeyRange> seen_of_rows_;  ///< by any of so many queries
};

/// What all queries have as a factor and what does not change a sum's digits: a power of two, far from the ends of double.
double exact_factor(const ScoresParams& params, Index d) {
  int exponent = 0;
  const double scale = scores_scale(params, d);
  const bool is_exact = std::frexp(scale, &exponent) == 0.5 && std::abs(exponent) < 100;
  return is_exact && !params.log_n ? scale : 1;
}

/// What a thread keeps: some queries, and the panels of some keys. Each thread makes its own: to fetch them from another's
/// cache takes longer.
class Own {
 public:
  Own(View<const float> q, View<const float> k, const ScoresParams& params, const Pieces& pieces)
      : q_(q),
        k_(k),
        params_(params),
        exact_factor_(exact_factor(params, q.cols)),
        queries_(simd::aligned_room<double>(pieces.rows_at_a_time() * q.cols)),
        factors_(static_cast<std::size_t>(pieces.rows_at_a_time()),
                 scores_scale(params, q.cols) / exact_factor_),
        panels_(simd::aligned_room<double>(pieces.columns_at_a_time() * q.cols)),
        written_(
            static_cast<std::size_t>(simd::parts(pieces.columns_at_a_time(), plain_tile().keys_together))) {}

  void take(const Piece& piece) {
    if (std::exchange(key_, piece.key) != piece.key) std::ranges::fill(written_, std::uint8_t{0});
    if (std::exchange(query_, piece.query) == piece.query) return;
    const Index tile = plain_tile().queries;
    for (Index i = 0; i < piece.queries; i += tile)
      write_queries(rows_of(q_, piece.query + i, std::min(tile, piece.queries - i)), exact_factor_,
                    queries_.get() + i * q_.cols);
    for (Index i = 0; i < piece.queries && params_.log_n; ++i)
      factors_[static_cast<std::size_t>(i)] =
          score_factor(params_, piece.query + i, q_.rows, k_.rows, q_.cols);
  }
  PlainOperands operands(const Piece& piece) {
    return {.q = queries_.get(),
            .panels = {rows_of(k_, piece.key, piece.keys), panels_.get(), written_.data()},
            .factors = factors_.data(),
            .scaled = params_.log_n || factors_.front() != 1,
            .d = q_.cols};
  }

 private:
  View<const float> q_, k_;
  const ScoresParams& params_;
  double exact_factor_;
  AlignedRoom<double> queries_;
  std::vector<double> factors_;
  AlignedRoom<double> panels_;
  std::vector<std::uint8_t> written_;
  Index key_ = -1, query_ = -1;  ///< the first of those it keeps
};

}  // namespace

void plain_scores_cpu(View<const float> q, View<const float> k, const ScoresParams& params, View<float> s) {
  const Pieces pieces(q, k, params.mask, s);
  const bool streamed = simd::is_large(s) && simd::starts_on_lines(s);
  const auto queries_of_turn = [&](Index turn) -> simd::Ahead {
    if (turn >= pieces.count()) return {};
    const Piece piece = pieces.of_turn(turn);
    return {q.row(piece.query).data(), q.stride, piece.queries, q.cols};
  };
  simd::share_in_turns({.count = pieces.count(), .size = s.size() * q.cols / 2, .turn = 1}, [&] {
    return [&, own = Own(q, k, params, pieces)](Index first, Index end, Index next) mutable {
      for (Index turn = first; turn < end; ++turn) {
        const Piece piece = pieces.of_turn(turn);
        const PlainBlock block = pieces.block(piece);
        if (block.first < block.end) own.take(piece);
        plain_scores({.operands = own.operands(piece),
                      .block = block,
                      .unseen = pieces.block(pieces.hidden_beside(piece)),
                      .next = queries_of_turn(turn + 1 < end ? turn + 1 : next),
                      .stride = s.stride,
                      .streamed = streamed});
      }
    };
  });
}

}  // namespace orrery::attention
