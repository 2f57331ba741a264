// Sums and ends of many numbers, eight side by side: no number waits for the one before it, and a compiler may take them
// together. The order of the additions is fixed, so that the result is the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace orrery::tensor {

inline constexpr std::size_t lanes = 8;

/// Σ of(x)
template <class Of>
double lane_sum(std::span<const double> numbers, Of of) {
  std::array<double, lanes> sum{};
  std::size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += of(numbers[i + l]);
  for (std::size_t l = 0; i < numbers.size(); ++i, ++l) sum[l] += of(numbers[i]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

inline bool all_finite(std::span<const double> chunk) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  std::uint64_t found = 0;
  for (const double v : chunk) found |= (std::bit_cast<std::uint64_t>(v) & exponent) == exponent ? 1 : 0;
  return found == 0;
}

/// Calls `each` with eight numbers at a time, so that they can be taken side by side; what is missing at the end is `pad`.
template <class Each>
void in_lanes(std::span<const double> finite, double pad, Each each) {
  std::size_t i = 0;
  for (; i + lanes <= finite.size(); i += lanes) each(finite.data() + i);
  if (i == finite.size()) return;
  std::array<double, lanes> last;
  last.fill(pad);
  std::copy(finite.begin() + static_cast<std::ptrdiff_t>(i), finite.end(), last.begin());
  each(last.data());
}

/// The least and the greatest.
inline std::pair<double, double> ends_of(std::span<const double> finite) {
  std::array<double, lanes> least, most;
  least.fill(finite.front());
  most.fill(finite.front());
  in_lanes(finite, finite.front(), [&](const double* x) {
    for (std::size_t l = 0; l < lanes; ++l) {
      least[l] = x[l] < least[l] ? x[l] : least[l];
      most[l] = x[l] > most[l] ? x[l] : most[l];
    }
  });
  return {*std::ranges::min_element(least), *std::ranges::max_element(most)};
}

}  // namespace orrery::tensor
