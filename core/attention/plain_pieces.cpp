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

Pieces::Pieces(Index d, const Mask& mask, View<float> s)
    : mask_(mask),
      s_(s),
      rows_at_a_time_(queries_at_a_time(s.rows)),
      columns_at_a_time_(keys_at_a_time(s.cols, d)) {}

Piece Pieces::of_turn(Index turn) const {
  if (rows() <= omp_get_max_threads()) return at(rows() - 1 - turn / columns(), turn % columns());
  return at(rows() - 1 - turn % rows(), turn / rows());
}

Piece Pieces::hidden_beside(const Piece& piece) const {
  Piece hidden = at(rows() - 1 - piece.query / rows_at_a_time_, 0);
  const KeyRange seen = seen_by(piece);
  hidden.key = share_of_keys(seen, piece.key);
  hidden.keys = share_of_keys(seen, piece.key + piece.keys) - hidden.key;
  return hidden;
}

PlainBlock Pieces::block(const Piece& piece) const {
  const KeyRange seen = seen_by(piece);
  const Index together = plain_tile().keys_together, piece_end = piece.key + to_panels(piece.keys),
              first = std::clamp(seen.first / together * together, piece.key, piece_end);
  return {.s = s_.row(piece.query).data(),
          .rows = piece.queries,
          .key = piece.key,
          .keys = piece.keys,
          .first = first,
          .end = std::clamp(to_panels(seen.end), first, piece_end)};
}

/// The keys that any of its queries sees: from one query to the next neither end goes back.
KeyRange Pieces::seen_by(const Piece& piece) const {
  return {mask_.range(piece.query, s_.rows, s_.cols).first,
          mask_.range(piece.query + piece.queries - 1, s_.rows, s_.cols).end};
}

Index Pieces::rows() const {
  return simd::parts(s_.rows, rows_at_a_time_);
}

Index Pieces::columns() const {
  return simd::parts(s_.cols, columns_at_a_time_);
}

/// As large a part of all keys as comes before `key` of those that are seen, in whole panels; all where none comes behind.
Index Pieces::share_of_keys(const KeyRange& seen, Index key) const {
  if (key <= seen.first) return 0;
  if (key >= seen.end) return s_.cols;
  const double before = static_cast<double>(key - seen.first) / static_cast<double>(seen.count());
  return std::min(to_panels(static_cast<Index>(before * static_cast<double>(s_.cols))), s_.cols);
}

Piece Pieces::at(Index row, Index column) const {
  const Index query = row * rows_at_a_time_, key = column * columns_at_a_time_;
  return {query, std::min(rows_at_a_time_, s_.rows - query), key,
          std::min(columns_at_a_time_, s_.cols - key)};
}

}  // namespace orrery::attention
