// What one pass does with one row (core/bench/norm_passes.h), compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::bench {

double row_mean(const float* x, std::size_t count);
void row_less(const float* x, float by, float* y, std::size_t count);   // y = x − by
void row_times(const float* x, float by, float* y, std::size_t count);  // y = x · by
void row_product(const float* x, const float* w, float* y, std::size_t count);
void row_sum(const float* x, const float* b, float* y, std::size_t count);

}  // namespace orrery::bench
