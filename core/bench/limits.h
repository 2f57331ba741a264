// What a machine does at most: bytes that a copy past the caches moves, and multiply-adds of floats with nothing to load.
#pragma once

#include <functional>

namespace orrery::bench {

struct Limits {
  double gigabytes = 0;  ///< a second, read and written together
  double gigaflops = 0;  ///< a second; a multiply-add is two
};

inline constexpr int limit_rounds = 9;
/// So often `between` is called.
inline constexpr int limit_samples = 2 * limit_rounds;

/// Medians of so many rounds in turns, on all threads. `between` is called between samples and may throw.
Limits measure_limits(const std::function<void()>& between);
/// The same on the graphics device of this thread, by the clock that is believed there. Throws Failure where there is none.
Limits measure_limits_on_device(const std::function<void()>& between);

}  // namespace orrery::bench
