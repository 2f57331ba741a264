#include "core/position/rope_decay.h"

#include <algorithm>
#include <cmath>

namespace orrery::position {

double mean_partial_sum(std::span<const double> inv_freq, double r) {
  if (inv_freq.empty()) return 0;
  std::complex<double> s = 0;
  double sum = 0;
  for (const double theta : inv_freq) {
    s += std::polar(1.0, r * theta);
    sum += std::abs(s);
  }
  return sum / static_cast<double>(inv_freq.size());
}

double similarity(std::span<const double> inv_freq, double r) {
  double sum = 0;
  for (const double theta : inv_freq) sum += std::cos(r * theta);
  return sum;
}

double score_at(std::span<const std::complex<double>> h, std::span<const double> inv_freq, double r) {
  double sum = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double angle = r * inv_freq[i];
    sum += h[i].real() * std::cos(angle) - h[i].imag() * std::sin(angle);
  }
  return sum;
}

double largest_step(std::span<const std::complex<double>> h) {
  double largest = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const std::complex<double> next = i + 1 < h.size() ? h[i + 1] : 0;
    largest = std::max(largest, std::abs(next - h[i]));
  }
  return largest;
}

}  // namespace orrery::position
