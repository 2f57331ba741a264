// Sums of waves over whole distances, two operations a term instead of a cosine.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <span>

#include "core/tensor/view.h"

namespace orrery::position {

inline constexpr tensor::Index wave_block = 256;  ///< after so many steps it is formed anew
inline constexpr tensor::Index between_pauses = tensor::Index{1} << 20;  ///< terms
inline constexpr double doubtful = 1e-8;  ///< so near to 0 a sum of waves is worked out anew, term by term

/// cos(mθ) for m = m₀, m₀ + 1, …: cos((m + 1)θ) = 2 cos θ cos(mθ) − cos((m − 1)θ), two operations instead of a cosine.
/// Its error grows with the square of the steps, to 256² 2^-53 < 1e-11 here, and starts anew with every block.
struct Wave {
  double twice, before, now;
  Wave(double theta, double m0)
      : twice(2 * std::cos(theta)), before(std::cos((m0 - 1) * theta)), now(std::cos(m0 * theta)) {}
  /// Re h e^(i m θ): as large as h, and as far ahead.
  Wave(double theta, double m0, std::complex<double> h)
      : twice(2 * std::cos(theta)),
        before(std::real(h * std::polar(1.0, (m0 - 1) * theta))),
        now(std::real(h * std::polar(1.0, m0 * theta))) {}
  void step() {
    const double next = twice * now - before;
    before = now;
    now = next;
  }
};

/// Adds so many waves to `sums`, for m = m₀ on; `wave` gives the one of a pair at m₀. Four waves side by side stay in
/// registers: one alone would wait for itself.
void add_waves(std::size_t pairs, const auto& wave, std::span<double> sums) {
  std::size_t i = 0;
  for (; i + 4 <= pairs; i += 4) {
    Wave a = wave(i), b = wave(i + 1), c = wave(i + 2), d = wave(i + 3);
    for (double& sum : sums) {
      sum += (a.now + b.now) + (c.now + d.now);
      a.step(), b.step(), c.step(), d.step();
    }
  }
  for (; i < pairs; ++i) {
    Wave one = wave(i);
    for (double& sum : sums) sum += one.now, one.step();
  }
}
inline void add_waves(std::span<const double> inv_freq, double m0, std::span<double> sums) {
  add_waves(
      inv_freq.size(), [&](std::size_t i) { return Wave(inv_freq[i], m0); }, sums);
}

}  // namespace orrery::position
