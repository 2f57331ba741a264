// Sums of waves over whole distances, two operations a term instead of a cosine.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::position {

inline constexpr tensor::Index wave_block = 1024;  ///< distances; then the waves are formed anew
inline constexpr tensor::Index between_pauses = tensor::Index{1} << 20;  ///< terms
inline constexpr double doubtful = 1e-8;  ///< so near to 0 a sum of waves is worked out anew, term by term

/// Σ_i Re h_i e^(i m θ_i) at m = m₀, m₀ + 1, …
///
/// cos((m + 8)θ) = 2 cos 8θ cos(mθ) − cos((m − 8)θ): two operations instead of a cosine, and eight distances are independent
/// of each other. The error of a wave grows with the square of its steps, to 128² 2^-53 < 2e-12 in a block, and begins anew
/// with the next one.
class Waves {
 public:
  explicit Waves(std::span<const double> inv_freq);  ///< all h are 1
  /// As many as both have, each h times `scale`.
  Waves(std::span<const double> inv_freq, std::span<const std::complex<double>> h, double scale);

  std::size_t pairs() const { return inv_freq_.size(); }
  /// The sums at `count` distances from m₀ on, count ≤ wave_block; what stands behind them in `sums` is lost.
  void at(double m0, tensor::Index count, std::span<double, wave_block> sums) const;

 private:
  std::vector<double> inv_freq_;
  std::vector<double> twice_;  ///< 2 cos 8θ
  std::vector<double>
      turns_;  ///< of each pair h e^(i k θ), k = −8 … 7: the eight before, real and imaginary, then the others
};

}  // namespace orrery::position
