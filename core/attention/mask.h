// Which keys a query sees. T queries stand beside the last of S keys: query t has the position t + S − T.
//
//   none       every key
//   causal     n ≤ position
//   sliding W  n ≤ position and position − n < W: W counts the token itself
//   prefix P   n < P or n ≤ position: the first P keys see each other in both directions, the others are causal
//   chunked C  n ≤ position and n, position in one chunk: ⌊n/C⌋ = ⌊position/C⌋. Llama 4 in all but every fourth layer
//
// Beside any of them, documents: several texts packed into one row, and a query sees keys of its own text alone. A query
// before the first key belongs to none, and sees nothing. Chunks and prefixes are counted from the row's first key, as
// Hugging Face and FlexAttention's and_masks combine them.
//
// What a query sees is one unbroken range of keys under each of them, and from one query to the next neither of its ends
// goes back. Source sliding: Beltagy et al., arXiv 2004.05150; chunked: Hugging Face's chunked_overlay
// (attention_chunk_size of
//            Llama 4); documents: FlexAttention's document mask (document_id), cu_seqlens of FlashAttention.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

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
  enum class Kind { none, causal, sliding, prefix, chunked } kind = Kind::none;
  tensor::Index window = 0;  ///< for sliding: how many keys a query sees, itself included; at least 1
  tensor::Index prefix = 0;  ///< for prefix: how many first keys everybody sees; not negative
  tensor::Index chunk = 0;   ///< for chunked: how many positions to a chunk; at least 1
  /// Of every key the keys of its document. Empty: all are one document. Whoever sets it keeps it alive.
  std::span<const KeyRange> documents = {};

  /// Nothing is hidden from anybody.
  bool shows_all() const { return kind == Kind::none && documents.empty(); }

  KeyRange range(tensor::Index query, tensor::Index queries, tensor::Index keys) const {
    using tensor::Index;
    const Index position = query + keys - queries;
    const KeyRange seen = range_in_a_document(position, keys);
    if (documents.empty()) return seen;
    if (position < 0) return {0, 0};
    const KeyRange own = documents[static_cast<std::size_t>(position)];
    return {std::max(seen.first, own.first), std::min(seen.end, own.end)};
  }
  bool allows(tensor::Index query, tensor::Index key, tensor::Index queries, tensor::Index keys) const {
    const KeyRange seen = range(query, queries, keys);
    return seen.first <= key && key < seen.end;
  }

 private:
  KeyRange range_in_a_document(tensor::Index position, tensor::Index keys) const {
    using tensor::Index;
    if (kind == Kind::none) return {0, keys};
    Index end = std::clamp(position + 1, Index{0}, keys);
    if (kind == Kind::prefix) end = std::max(end, std::min(prefix, keys));
    if (kind == Kind::chunked && position > 0) return {position / chunk * chunk, end};
    // Compared this way round, a huge window does not overflow.
    const bool cut = kind == Kind::sliding && window <= position;
    return {cut ? std::min(position + 1 - window, end) : 0, end};
  }
};

/// Throws InvalidArgument for a window or a chunk below 1, a negative prefix, documents of another number of keys.
void check_mask(const Mask&, tensor::Index keys);

/// Of every key the keys of its document, from a number for each that is the same within one. Throws InvalidArgument where a
/// document comes again after another one.
std::vector<KeyRange> documents_of(std::span<const double> ids);

}  // namespace orrery::attention
