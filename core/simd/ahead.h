// Memory that a kernel asks for while it multiplies: memory has little to do then.
#pragma once

#include <cstdint>

namespace orrery::simd {

/// Memory that is read soon: `rows` of `count` floats, from one to the next `step`.
struct Ahead {
  const float* data;
  std::int64_t step, rows, count;
};

}  // namespace orrery::simd
