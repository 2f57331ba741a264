#include "core/attention/plain_pieces.h"

#include <omp.h>

#include <algorithm>

#include "core/simd/share.h"

namespace orrery::attention {

using tensor::Index;
using tensor::View;

Index to_panels(Index keys) {
  const Index together = plain_tile().keys_together;
  return simd::parts(keys, together) * together;
}

namespace {

/// Queries at a time: tiles that a panel of keys serves while it is in the first cache; one, where there are hardly enough for
/// all threads.
Index queries_at_a_time(Index queries) {
  const Index tile = plain_tile().queries;
  return tile * std::clamp(queries / (tile * 4 * omp_get_max_threads()), Index{1}, most_queries / tile);
}

/// Keys at a time: as many as have four megabytes of panels. Fewer mean more pieces; more would come from memory.
Index keys_at_a_time(Index keys, Index d) {
  constexpr Index numbers = Index{1} << 19;
  return to_panels(std::clamp(numbers / std::max(d, Index{1}), Index{1}, std::max(keys, Index{1})));
}

}  // namespace

Pieces::Pieces(View<const float> q, View<const float> k, const Mask& mask, View<float> s)
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

Piece Pieces::of_turn(Index turn) const {
  if (rows() <= omp_get_max_threads()) return at(rows() - 1 - turn / columns(), turn % columns());
  return at(rows() - 1 - turn % rows(), turn / rows());
}

Piece Pieces::hidden_beside(const Piece& piece) const {
  Piece hidden = at(rows() - 1 - piece.query / rows_at_a_time_, 0);
  const KeyRange seen = seen_by_row(piece);
  hidden.key = share_of_keys(seen, piece.key);
  hidden.keys = share_of_keys(seen, piece.key + piece.keys) - hidden.key;
  return hidden;
}

PlainBlock Pieces::block(const Piece& piece) const {
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

KeyRange Pieces::seen_by_row(const Piece& piece) const {
  return seen_of_rows_[static_cast<std::size_t>(piece.query / rows_at_a_time_)];
}

Index Pieces::rows() const {
  return simd::parts(queries_, rows_at_a_time_);
}

Index Pieces::columns() const {
  return simd::parts(keys_, columns_at_a_time_);
}

/// As large a part of all keys as comes before `key` of those that are seen, in whole panels; all where none comes behind.
Index Pieces::share_of_keys(const KeyRange& seen, Index key) const {
  if (key >= std::max(seen.end, Index{1})) return keys_;
  const double before =
      static_cast<double>(std::max(key - seen.first, Index{0})) / static_cast<double>(seen.count());
  return std::min(to_panels(static_cast<Index>(before * static_cast<double>(keys_))), keys_);
}

Piece Pieces::at(Index row, Index column) const {
  const Index query = row * rows_at_a_time_, key = column * columns_at_a_time_;
  return {query, std::min(rows_at_a_time_, queries_ - query), key, std::min(columns_at_a_time_, keys_ - key)};
}

}  // namespace orrery::attention
