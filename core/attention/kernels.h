// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::attention {

/// A row of `cols` floats, of which those from `first` to `end` are seen. Streamed: see core/simd/share.h.
struct SoftmaxRow {
  const float* x;
  float* y;
  std::size_t cols, first, end;
  const float* next;  ///< the row that comes after it: its numbers are fetched meanwhile
  bool streamed;
};

/// y = softmax of what is seen, zeros elsewhere; `scale` is log₂e/τ; `exponentials` has room for a row, from a cache line
/// on. Does nothing and returns false where only −∞ is seen, or NaN beside it.
bool softmax_row(const SoftmaxRow&, float scale, float* exponentials);

}  // namespace orrery::attention
