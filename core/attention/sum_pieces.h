// The keys that a row of weights is summed over, cut into columns that have one sum each, and these into pieces of work.
#pragma once

#include <algorithm>
#include <vector>

#include "core/attention/mask.h"

namespace orrery::attention {

inline KeyRange overlap(KeyRange a, KeyRange b) {
  return {std::max(a.first, b.first), std::min(a.end, b.end)};
}

/// Keys that have one sum.
struct SumColumn {
  KeyRange keys;
  std::size_t column;
  std::size_t count;  ///< of all columns up to this one
};

/// The parts; and what of `all` is in none of them, in pieces behind them.
std::vector<SumColumn> sum_columns(const std::vector<KeyRange>& parts, KeyRange all);

/// Columns beside each other that one thread takes.
struct SumPiece {
  std::size_t first, end;
};

std::vector<SumPiece> sum_pieces(const std::vector<SumColumn>&);

}  // namespace orrery::attention
