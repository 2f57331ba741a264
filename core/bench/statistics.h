// What measurements on all devices share.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace orrery::bench {

inline double median(std::vector<double> v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// A sample lasts at least this long, so that the clock's grain, a fork-join or a wait for the device does not show.
inline constexpr double sample_ms = 4;

/// Up to here a plain copy stays in the caches and is the fair reference; beyond, memory may be the limit.
inline constexpr double cached_bytes = 16.0 * 1024 * 1024;

/// Of one call, in the mean over `repeats`.
inline double milliseconds(const std::function<void()>& f, int repeats) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int i = 0; i < repeats; ++i) f();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / repeats;
}

/// How often something must run to fill a sample; `once` is its time in milliseconds.
inline int repeats_for(double once) {
  return std::clamp(static_cast<int>(sample_ms / std::max(1e-4, once)), 1, 10000);
}

}  // namespace orrery::bench
