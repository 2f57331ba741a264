#include "core/position/rope_wavelengths.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace orrery::position {

using tensor::Index;

double rope_wavelength(double inv_freq) {
  return inv_freq == 0 ? std::numeric_limits<double>::infinity() : 2 * std::numbers::pi / inv_freq;
}

Index pairs_that_come_round(std::span<const double> inv_freq, double length) {
  return std::ranges::count_if(inv_freq, [&](double theta) { return rope_wavelength(theta) <= length; });
}

double rope_cache_bytes(double length, Index pairs, bool both_halves, tensor::Format format) {
  return length * static_cast<double>(pairs) * (both_halves ? 4 : 2) * tensor::info(format).bytes;
}

}  // namespace orrery::position
