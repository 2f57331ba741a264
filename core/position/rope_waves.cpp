#include "core/position/rope_waves.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/position/kernels.h"

namespace orrery::position {

Waves::Waves(std::span<const double> inv_freq)
    : Waves(inv_freq, std::vector<std::complex<double>>(inv_freq.size(), 1), 1) {}

Waves::Waves(std::span<const double> inv_freq, std::span<const std::complex<double>> h, double scale)
    : inv_freq_(inv_freq.begin(),
                inv_freq.begin() + static_cast<std::ptrdiff_t>(std::min(h.size(), inv_freq.size()))) {
  for (std::size_t i = 0; i < inv_freq_.size(); ++i) {
    const double theta = inv_freq_[i];
    twice_.push_back(2 * std::cos(wave_stride * theta));
    for (const int first : {-wave_stride, 0}) {
      std::array<std::complex<double>, wave_stride> turned;
      for (int k = 0; k < wave_stride; ++k)
        turned[static_cast<std::size_t>(k)] = scale * h[i] * std::polar(1.0, (first + k) * theta);
      for (const auto& each : turned) turns_.push_back(each.real());
      for (const auto& each : turned) turns_.push_back(each.imag());
    }
  }
}

void Waves::at(double m0, tensor::Index count, std::span<double, wave_block> sums) const {
  std::fill_n(sums.begin(), (count + wave_stride - 1) / wave_stride * wave_stride, 0.0);
  std::array<double, 64> cosines{}, sines{};
  for (std::size_t from = 0; from < pairs(); from += cosines.size()) {
    const std::size_t here = std::min(cosines.size(), pairs() - from);
    for (std::size_t i = 0; i < here; ++i) {
      cosines[i] = std::cos(m0 * inv_freq_[from + i]);
      sines[i] = std::sin(m0 * inv_freq_[from + i]);
    }
    add_waves({.turns = turns_.data() + 4 * wave_stride * from,
               .twice = twice_.data() + from,
               .cos = cosines.data(),
               .sin = sines.data(),
               .pairs = here,
               .sums = sums.data(),
               .count = static_cast<std::size_t>(count)});
  }
}

}  // namespace orrery::position
