// The inner loops of attention in float, compiled for every kind of processor. Plain pointers, because nothing that the
// linker could merge may be compiled into them.
#pragma once

#include <cstdint>

namespace orrery::attention {

/// The processor's tile: as many queries by as many keys as its registers hold sums for.
struct TileShape {
  std::int64_t queries, keys;
  std::int64_t values;  ///< columns of v at a time
};
TileShape tile_shape();

/// One block of queries.
struct AttentionBlock {
  const float* q;  ///< of the first query; `queries` rows, `q_stride` apart
  std::int64_t q_stride, queries, d;
  const float* panels;              ///< of all keys: of TileShape::keys keys as simd::pack_panel writes them
  std::int64_t keys;                ///< S
  const float* factor;              ///< one a query: multiplies q·k, and has log₂ e in it
  const std::int64_t *first, *end;  ///< the keys that each query sees
  float* exponentials;  ///< room for `queries`, rounded up to tiles, × keys, rounded up to panels
  std::int64_t exponentials_stride;
};

/// Writes exp(logit) of the keys from `seen_first` to `seen_end` (multiples of the panel's width, around all that any
/// query sees) to `exponentials`, 0 where a query does not see a key; `sums`: a vector for each query of the block's
/// tiles, whose lanes add up to Σ exp.
void exponentials(const AttentionBlock&, std::int64_t seen_first, std::int64_t seen_end, float* sums);

/// p = exponentials / sum, and 0 outside of the range. `streamed`: past the caches, rows of p are aligned then.
void store_weights(const AttentionBlock&, std::int64_t seen_first, std::int64_t seen_end, const float* sums,
                   float* p, std::int64_t p_stride, bool streamed);

/// o = Σ_n exponentials · v[n] / sum. v: rows of `width` numbers, a multiple of TileShape::values, of which `columns` are
/// written.
void store_values(const AttentionBlock&, std::int64_t seen_first, std::int64_t seen_end, const float* sums,
                  const float* v, std::int64_t width, float* o, std::int64_t o_stride, std::int64_t columns);

}  // namespace orrery::attention
