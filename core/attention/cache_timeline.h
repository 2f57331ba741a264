// The life of a cache of keys: which tokens a forward pass reads, which keys it still holds, and what each of them was turned
// with, rightly and by a mistake that a program makes.
//
//   passes       a prompt of P tokens in chunks of C (0: all at once), then D tokens one by one
//   kept         before a pass with f new tokens the oldest keys behind the first K leave, until C_max − f are held or none is
//                left to leave; the pass itself holds all of its own
//   position     in the text: p(t) = t, or t + pads where pads before the prompt are counted; renumbered (as StreamingLLM
//                has it): the slot in the cache, anew in every pass
//   length       n = 1 + the last position of the pass: what dynamic rules make their frequencies from
//
// A key keeps what it was turned with until somebody turns it on. Rightly every pass turns all keys to its own positions and
// frequencies. The mistakes:
//
//   old_rotation        nobody does: a key keeps position and length of the pass that read it
//   decoded_at_zero     every decoded token is at 0
//   chunks_from_zero    every chunk of the prompt counts from 0
//   table_by_length     angles are remembered by how many tokens a pass has: all passes of one size get the first one's
//   prompt_before_zero  the pads are taken off the prompt's positions, and not off those of decoded tokens
//   length_of_cache     a new token's position is the number of keys that are held, and old keys stay where they were
//   never_reset         frequencies of the longest text from the first pass on
//
// Edges      no chunk is longer than the prompt; K counts as at most C_max − 1, so that a new token has room.
//            P < 1, D < 0 or another negative number: InvalidArgument.
// Source     Xiao et al. 2024, arXiv 2309.17453, section 3.2 (first tokens, positions in the cache); Peng et al. 2023, arXiv
//            2309.00071, section 3.3 (cached keys and frequencies that change); the mistakes, in this order:
//            huggingface/transformers#25104, ml-explore/mlx-vlm#1983, huggingface/transformers#43082,
//            lucidrains/rotary-embedding-torch#11, fla-org/flash-linear-attention#902, rajveer43/VeloxQuant-MLX#389,
//            huggingface/transformers#25306.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::attention {

enum class CacheMistake : std::uint8_t {
  none,
  old_rotation,
  decoded_at_zero,
  chunks_from_zero,
  table_by_length,
  prompt_before_zero,
  length_of_cache,
  never_reset
};

struct CachePlan {
  tensor::Index prompt = 1;      ///< P
  tensor::Index chunk = 0;       ///< C
  tensor::Index decoded = 0;     ///< D
  tensor::Index pads = 0;        ///< before the prompt: never seen, and no key of theirs is held
  bool pads_counted = false;     ///< they have positions
  tensor::Index capacity = 0;    ///< C_max; 0: unlimited
  tensor::Index first_kept = 0;  ///< K
  bool renumbered = false;
  CacheMistake mistake = CacheMistake::none;

  tensor::Index tokens() const { return prompt + decoded; }
  double first_position() const { return pads_counted ? static_cast<double>(pads) : 0; }
};

/// What a vector is turned with.
struct TurnedWith {
  double position = 0;
  double length = 0;  ///< of the text whose frequencies are taken
  bool operator==(const TurnedWith&) const = default;
};

struct CachedKey {
  tensor::Index token = 0;
  TurnedWith right, cached;
};

struct CachePass {
  tensor::Index first = 0, fed = 0;  ///< tokens first … first + fed − 1 are read
  bool decoding = false;
  std::vector<tensor::Index> evicted{};  ///< tokens whose keys left before it
  std::vector<CachedKey> keys{};         ///< held during it, oldest first; the last `fed` are its own

  /// The last token that is read, whose query is turned as its key is.
  const CachedKey& last() const { return keys.back(); }
  double length() const { return last().right.length; }
};

std::vector<CachePass> cache_timeline(const CachePlan&);

}  // namespace orrery::attention
