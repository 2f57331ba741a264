#include <cmath>

#include "core/norm/dyt.h"

namespace orrery::norm {

using tensor::Index;

void dyt_ref(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
             const DytParams& params, tensor::View<double> y) {
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      const auto column = static_cast<std::size_t>(j);
      const double w = weight.empty() ? 1 : weight[column];
      const double b = bias.empty() ? 0 : bias[column];
      y(i, j) = w * std::tanh(params.alpha * x(i, j)) + b;
    }
  }
}

}  // namespace orrery::norm
