// Scores cut into pieces for threads to take in turns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/mask.h"
#include "core/attention/plain_scores_kernels.h"
#include "core/tensor/view.h"

namespace orrery::attention {

/// Some queries by some keys.
struct Piece {
  tensor::Index query, queries, key, keys;
};

/// In the order in which threads take them.
class Pieces {
 public:
  Pieces(tensor::View<const float> q, tensor::View<const float> k, const Mask&, tensor::View<float> s);

  /// Most that a piece has.
  tensor::Index rows_at_a_time() const { return rows_at_a_time_; }
  tensor::Index columns_at_a_time() const { return columns_at_a_time_; }
  tensor::Index count() const { return rows() * columns(); }

  /// All queries by some keys, which stay in the last cache meanwhile; where threads are as many as rows, each has keys of its
  /// own. From the end: under a causal mask the last queries see most, and what is left at the end should be small.
  Piece of_turn(tensor::Index turn) const;
  /// What is hidden meanwhile: of the first queries where the last ones are at work, which leave memory the most time. The more
  /// keys of the piece are seen, the more.
  Piece hidden_beside(const Piece&) const;

  PlainBlock block(const Piece&) const;

 private:
  KeyRange seen_by_row(const Piece&) const;
  tensor::Index rows() const;
  tensor::Index columns() const;
  tensor::Index share_of_keys(const KeyRange& seen, tensor::Index key) const;
  Piece at(tensor::Index row, tensor::Index column) const;

  tensor::Index queries_, keys_;
  tensor::View<float> s_;
  tensor::Index rows_at_a_time_, columns_at_a_time_;
  std::vector<std::int64_t> first_seen_, end_seen_;
  std::vector<KeyRange> seen_of_rows_;  ///< by any of so many queries
};

/// Keys in whole panels: PlainTile::keys_together of them, as often as they need.
tensor::Index to_panels(tensor::Index keys);

}  // namespace orrery::attention
