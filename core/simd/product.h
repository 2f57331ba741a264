// y = x·b + bias in float, near the speed of the processor's multiply-adds: for everything that is a matrix product.
//
// Each element is a sum in the order of the inner axis, in fused multiply-adds: of 64 terms, of 16 such sums, and of those
// from the bias on. So |y − exact| ≤ product_bound(K) (Σ|x b| + |bias|) for whatever terms, and errors hardly grow with K.
// Which threads there are and how the work is cut changes no bit.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/tensor/view.h"

namespace orrery::simd {

/// K × N, its element (k, n) at data[k · row_step + n · column_step]; one of the steps is 1, so that a table is also its
/// own transpose.
struct Factor {
  const float* data;
  std::int64_t rows, columns, row_step, column_step;

  static Factor of(tensor::View<const float> b) { return {b.data, b.rows, b.cols, b.stride, 1}; }
  static Factor transposed(tensor::View<const float> b) { return {b.data, b.cols, b.rows, 1, b.stride}; }
};

/// What becomes of y beyond its sums.
struct Finish {
  /// Each element by itself, as soon as its sum is complete, by the thread that has it in its first cache: up to some
  /// thousands of them at a time, which may stand elsewhere than y's own and go there afterwards. Called on several threads
  /// at once; throws nothing.
  std::function<void(tensor::View<float> part)> change = nullptr;
  /// y is read again only when the caches hold something else: it is written past them where that can be, and pays
  /// (whole lines, sums of a single block of terms, x not of few rows).
  bool streamed = false;
};

/// x: M × K, b: K × N, y: M × N, no part of x or b; bias: N, or empty for none. Shapes are the caller's promise.
void product(tensor::View<const float> x, const Factor& b, std::span<const float> bias, tensor::View<float> y,
             const Finish& = {});

/// Relative to the sum of magnitudes: u = 2⁻²⁴, and γ(n) = n u/(1 − n u) for n roundings, which all may go one way (Higham,
/// Accuracy and Stability, 2002, lemma 3.1): of a product where it is not fused, in a sum of up to 64, among 16 such sums,
/// and among the ⌈K/1024⌉ of those.
double product_bound(std::int64_t K);

}  // namespace orrery::simd
