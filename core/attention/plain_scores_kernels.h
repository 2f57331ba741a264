// The inner loops of scores that are nothing but products times a factor, compiled for every kind of processor. Plain pointers,
// as in scores_kernels.h.
#pragma once

#include <cstdint>

#include "core/simd/ahead.h"

namespace orrery::attention {

/// As many queries by as many keys as the processor's registers hold sums of doubles for.
struct PlainTile {
  std::int64_t queries, keys;
  std::int64_t keys_together;  ///< of whole panels: their scores make whole lines
};
PlainTile plain_tile();

/// Of a block, whole tiles: with more of them a panel is no longer in the first cache when the next tile wants it.
inline constexpr std::int64_t most_queries = 24;

/// Rows of d numbers, `stride` apart.
struct Rows {
  const float* x;
  std::int64_t count, d, stride;
};

/// Up to PlainTile::queries of them in double as plain_scores reads them: as many numbers as these queries have, or would have.
void write_queries(const Rows&, double* tile);

/// Keys in double, in panels of PlainTile::keys: d rows of one number a key, zeros behind the last key, as many panels as make whole
/// PlainTile::keys_together.
void write_keys(const Rows&, double* panels);

/// Part of the scores: rows, and of their keys those that any of them sees, from `first` to `end`, whole PlainTile::keys_together:
/// the last of them may be past the last key.
struct PlainBlock {
  float* s;
  std::int64_t rows, first, end;
};

/// Writes the scores of a block, −∞ where a query does not see the key, but for the keys that none of its rows sees.
struct PlainScores {
  PlainBlock block;
  const double* q;       ///< tiles of write_queries
  const double* panels;  ///< of write_keys
  // One for each query of the block: what its products are multiplied by, and the keys that it sees.
  const double* factors;
  const std::int64_t *first_seen, *end_seen;
  PlainBlock unseen;             ///< of this one all that its rows do not see is hidden meanwhile
  simd::Ahead next;              ///< the queries of the next block
  std::int64_t d, keys, stride;  ///< of the scores
  bool streamed;                 ///< see core/simd/share.h; rows start on lines then
};
void plain_scores(const PlainScores&);

}  // namespace orrery::attention
