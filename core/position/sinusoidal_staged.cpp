#include <cmath>

#include "core/position/sinusoidal_staged.h"

namespace orrery::position {

using tensor::Index;

void sinusoidal_staged(const SinusoidalParams& params, const tensor::Precision& precision,
                       tensor::View<double> y) {
  const tensor::Rounding acc(precision.accumulate), store(precision.storage);
  const std::vector<double> frequency = sinusoidal_frequencies(y.cols, params);
  const bool interleaved = params.layout == SinusoidalLayout::paper;
  for (Index r = 0; r < y.rows; ++r) {
    const double position = acc(params.offset + static_cast<double>(r));
    for (Index i = 0; i < y.cols / 2; ++i) {
      const double angle = acc(position * acc(frequency[static_cast<std::size_t>(i)]));
      y(r, interleaved ? 2 * i : i) = store(acc(std::sin(angle)));
      y(r, interleaved ? 2 * i + 1 : y.cols / 2 + i) = store(acc(std::cos(angle)));
    }
  }
}

}  // namespace orrery::position
