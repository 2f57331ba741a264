// What one thread does of core/bench/memory.h, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::bench {

/// What one thread reads and writes.
struct Moved {
  const float* from;
  std::size_t read;
  float* to;
  std::size_t written;
  float fill;  ///< what is written where nothing is copied
};

/// A sum of what was read and is not written, so that it is read.
float move_part(const Moved& part, bool streamed);

}  // namespace orrery::bench
