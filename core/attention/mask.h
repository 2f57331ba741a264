// Which keys a query sees. T queries stand beside the last of S keys: query t has the position t + S − T.
//
//   none       every key
//   causal     n ≤ position
//   sliding W  n ≤ position and position − n < W: W counts the token itself
//   prefix P   n < P or n ≤ position: the first P keys see each other in both directions, the others are causal
//
// What a query sees is one unbroken range of keys under each of them.
#pragma once

#include <algorithm>
#include <span>

#include "core/tensor/view.h"

namespace orrery::attention {

/// A half-open range of keys.
struct KeyRange {
  tensor::Index first = 0, end = 0;
  tensor::Index count() const { return end - first; }

  /// The part of a row of keys.
  template <class T>
  std::span<T> of(std::span<T> row) const {
    return row.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count()));
  }
  /// Writes zeros around it.
  template <class T>
  void clear_others(std::span<T> row) const {
    std::fill(row.begin(), row.begin() + first, T(0));
    std::fill(row.begin() + end, row.end(), T(0));
  }
};

struct Mask {
  enum class Kind { none, causal, sliding, prefix } kind = Kind::none;
  tensor::Index window = 0;  ///< for sliding: how many keys a query sees, itself included; at least 1
  tensor::Index prefix = 0;  ///< for prefix: how many first keys everybody sees; not negative

  KeyRange range(tensor::Index query, tensor::Index queries, tensor::Index keys) const {
    using tensor::Index;
    if (kind == Kind::none) return {0, keys};
    const Index position = query + keys - queries;
    Index end = std::clamp(position + 1, Index{0}, keys);
    if (kind == Kind::prefix) end = std::max(end, std::min(prefix, keys));
    // Compared this way round, a huge window does not overflow.
    const bool cut = kind == Kind::sliding && window <= position;
    return {cut ? std::min(position + 1 - window, end) : 0, end};
  }

  bool allows(tensor::Index query, tensor::Index key, tensor::Index queries, tensor::Index keys) const {
    const KeyRange seen = range(query, queries, keys);
    return seen.first <= key && key < seen.end;
  }
};

/// Throws InvalidArgument for a window below 1 and a negative prefix.
void check_mask(const Mask&);

}  // namespace orrery::attention
