// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::attention {

/// A row of `cols` floats, of which those from `first` to `end` are seen. Nothing at all is a row too.
struct SoftmaxRow {
  const float* x = nullptr;
  float* y = nullptr;
  std::size_t cols = 0, first = 0, end = 0;
  std::size_t count = 0;  ///< how many of the seen come before the −∞ at their end: softmax_step sets it
};

/// How y is written: past the caches (see core/simd/share.h), or into them; of short rows what is written next is asked for
/// meanwhile.
enum class Writing { past_caches, into_caches, asked_for };

/// Three rows at three stages, so that memory has both to read and to write while exponentials are taken: y of the first
/// is written, zeros where nothing is seen; exp((x − largest)/τ) of the second are taken; the largest of the third is
/// found, and the row after it fetched.
struct SoftmaxStep {
  float scale;          ///< log₂e/τ
  float* exponentials;  ///< of `before`, then of `now`: room for a row, from a cache line on
  Writing writing;

  SoftmaxRow before = {};
  float inverse = 0;  ///< of the sum of before's exponentials
  SoftmaxRow now = {};
  float largest = 0;  ///< of now; no infinity
  SoftmaxRow after = {};
  const float* fetched = nullptr;

  double sum = 0;           ///< found: of now's exponentials
  float largest_after = 0;  ///< found: −∞ where only −∞ is seen, or NaN beside it
};
void softmax_step(SoftmaxStep&);

}  // namespace orrery::attention
