// What one thread does of core/bench/memory.h, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::bench {

void copy_floats(const float* from, float* to, std::size_t count, bool streamed);
void stream_ones(float* to, std::size_t count);

}  // namespace orrery::bench
