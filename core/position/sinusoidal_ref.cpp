#include <cmath>

#include "core/position/sinusoidal.h"

namespace orrery::position {

using tensor::Index;

void sinusoidal_ref(const SinusoidalParams& params, tensor::View<double> y) {
  const std::vector<double> frequency = sinusoidal_frequencies(y.cols, params);
  for (Index r = 0; r < y.rows; ++r) {
    const double position = params.offset + static_cast<double>(r);
    for (Index i = 0; i < y.cols / 2; ++i) {
      const double angle = position * frequency[static_cast<std::size_t>(i)];
      const bool interleaved = params.layout == SinusoidalLayout::paper;
      y(r, interleaved ? 2 * i : i) = std::sin(angle);
      y(r, interleaved ? 2 * i + 1 : y.cols / 2 + i) = std::cos(angle);
    }
  }
}

}  // namespace orrery::position
