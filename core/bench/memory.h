// The reference every op is measured against: moving as many bytes and doing nothing to them.
#pragma once

#include <cstddef>

namespace orrery::bench {

/// Both run on all threads, each on its own contiguous part. `count` floats.
void copy(const float* from, float* to, std::ptrdiff_t count);
/// Past the caches: no line is read for ownership before it is overwritten.
void copy_non_temporal(const float* from, float* to, std::ptrdiff_t count);

}  // namespace orrery::bench
