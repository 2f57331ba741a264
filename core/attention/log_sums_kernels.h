// The inner loop of log-sum-exp over stretches of a row, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::attention {

/// A stretch of a row of floats, and what was found of it.
struct LogSumStretch {
  std::size_t first = 0, count = 0;  ///< at least one
  float largest = 0;                 ///< max x_j
  double sum = 0;                    ///< Σ 2^(factor (x_j − largest)): from 1 to count
};

/// Each of `count` stretches. factor ≥ 0; what is below 2⁻¹²⁵ of the largest term counts as that.
void log_sums(const float* x, float factor, std::size_t count, LogSumStretch* stretches);

}  // namespace orrery::attention
