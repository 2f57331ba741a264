// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::attention {

/// `count` rows of `cols` floats, from one row to the next x_stride and y_stride. Streamed: see core/simd/share.h.
struct SoftmaxRows {
  const float* x;
  std::size_t x_stride;
  float* y;
  std::size_t y_stride;
  std::size_t count, cols;
  bool streamed;
};

/// Softmax of every row; `scale` is log₂e/τ; `exponentials` has room for a row. Stops before the first row that holds
/// −∞ only and returns how many rows are done.
std::size_t softmax_rows(const SoftmaxRows&, float scale, float* exponentials);

}  // namespace orrery::attention
