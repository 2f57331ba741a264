// A norm as a chain of passes, each of them through memory: what a framework does that runs one operation after another. The
// fused twin reads x once and writes y once; beside it the chain shows what fusing is worth.
//
//   LayerNorm   μ = mean x, c = x − μ, s = c², σ² = mean s, n = c/√(σ² + ε), n = n·w, y = n + b
//   RMSNorm     s = x², q = mean s, n = x/√(q + ε), y = n·w
//
// Shapes     x, y: rows × width, one row after another; weight, bias: width. Arithmetic in float, sums as the twins have them.
// Threads    Every pass is shared out over all threads, and written as usual, not past the caches: the next pass reads it.
#pragma once

#include "core/bench/memory.h"
#include "core/tensor/view.h"

namespace orrery::bench {

class NormPasses {
 public:
  NormPasses(tensor::Index rows, tensor::Index width);

  void layer_norm(const float* x, const float* weight, const float* bias, double eps, float* y);
  void rms_norm(const float* x, const float* weight, double eps, float* y);

  /// Floats read and written for each element of x.
  static constexpr int layer_norm_moves = 12, rms_norm_moves = 7;

 private:
  tensor::Index rows_, width_;
  AlignedFloats first_, second_;  // as large as x
  AlignedFloats by_row_;
};

}  // namespace orrery::bench
