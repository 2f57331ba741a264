// Scores cut into pieces for threads to take in turns.
#pragma once

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
  Pieces(tensor::Index d, const Mask&, tensor::View<float> s);

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
  KeyRange seen_by(const Piece&) const;
  tensor::Index rows() const;
  tensor::Index columns() const;
  tensor::Index share_of_keys(const KeyRange& seen, tensor::Index key) const;
  Piece at(tensor::Index row, tensor::Index column) const;

  Mask mask_;
  tensor::View<float> s_;
  tensor::Index rows_at_a_time_, columns_at_a_time_;
};

/// Keys in whole panels: PlainTile::keys_together of them, as often as they need.
tensor::Index to_panels(tensor::Index keys);

}  // namespace orrery::attention
