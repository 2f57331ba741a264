#include <cmath>

#include "core/position/sinusoidal.h"
#include "core/tensor/error.h"

namespace orrery::position {

std::vector<double> sinusoidal_frequencies(tensor::Index dim, const SinusoidalParams& params) {
  if (dim < 0 || dim % 2 != 0)
    throw InvalidArgument(
        about(words("sinusoidal width")).found(dim).led_by(", allowed: ").allowed("even, at least {}", 0));
  const tensor::Index pairs = dim / 2;
  // The slowest pair turns at base^−((pairs − 1)/steps).
  const double steps =
      params.layout == SinusoidalLayout::paper ? static_cast<double>(pairs) : static_cast<double>(pairs - 1);
  std::vector<double> frequency(static_cast<std::size_t>(pairs), 1.0);
  for (tensor::Index i = 1; i < pairs; ++i)
    frequency[static_cast<std::size_t>(i)] = std::pow(params.base, -static_cast<double>(i) / steps);
  return frequency;
}

}  // namespace orrery::position
