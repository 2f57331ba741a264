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

/// Of a block, whole tiles. The more there are, the less often panels come from the last cache; but these queries, which
/// are gone through for every panel, had better be in the first, or near.
inline constexpr std::int64_t most_queries = 48;

/// Rows of d numbers, `stride` apart.
struct Rows {
  const float* x;
  std::int64_t count, d, stride;
};

/// Up to PlainTile::queries of them in double, times a factor, as plain_scores reads them. Writes as many numbers as
/// PlainTile::queries have.
void write_queries(const Rows&, double factor, double* tile);

/// Keys in double as plain_scores reads them: panels of PlainTile::keys of them, d rows of one number a key, zeros behind the
/// last key. Written when they are first wanted, PlainTile::keys_together at a time, by whichever thread comes first.
struct Panels {
  enum State : std::uint8_t { unwritten, begun, written };

  Rows keys;
  double* numbers;      ///< room for as many panels as make whole PlainTile::keys_together
  std::uint8_t* state;  ///< of each PlainTile::keys_together; changed atomically
  double* beside;  ///< this thread's own room for PlainTile::keys_together, where another is writing them
  std::int64_t part, parts;  ///< this thread starts at that part of the keys
};

/// Part of the scores: rows by `keys` columns from `key` on, which is a multiple of PlainTile::keys_together where there
/// are any. Of these keys the rows see none before `first` and none from `end` on. Both are multiples, too; `end` may lie
/// past the last key.
struct PlainBlock {
  float* s;  ///< the start of the first row
  std::int64_t rows, key, keys, first, end;
};

/// Some queries and keys of d numbers.
struct PlainOperands {
  const double* q;                            ///< tiles of write_queries
  const std::int64_t *first_seen, *end_seen;  ///< the keys that each query sees
  Panels panels;
  const double* factors;  ///< of each query of whole tiles: what its products are multiplied by
  bool scaled;            ///< otherwise every factor is 1
  std::int64_t d;
};

/// Writes the scores of a block, −∞ where a query does not see the key, but for the keys that none of its rows sees.
struct PlainScores {
  PlainOperands operands;  ///< the block's
  PlainBlock block;
  PlainBlock unseen;    ///< of this one all that its rows do not see is hidden meanwhile
  simd::Ahead next;     ///< the queries of the next block
  std::int64_t stride;  ///< of the scores
  bool streamed;        ///< see core/simd/share.h; rows start on lines then
};
void plain_scores(const PlainScores&);

}  // namespace orrery::attention
