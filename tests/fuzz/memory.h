// How much memory a piece of work takes at its largest, of all libraries: this program's malloc counts.
#pragma once

#include <cstddef>

namespace orrery::fuzz {

/// Whether it is counted: a sanitizer has a malloc of its own.
bool memory_is_counted();

/// From its beginning on.
class MemoryUse {
 public:
  MemoryUse();
  /// Bytes above those at the beginning, when they were most.
  std::size_t most() const;

 private:
  std::size_t before_;
};

}  // namespace orrery::fuzz
