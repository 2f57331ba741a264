#include <cmath>

#include "core/norm/layer_norm.h"

namespace orrery::norm {

using tensor::Index;

void layer_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const LayerNormParams& params, tensor::View<double> y) {
  const double D = static_cast<double>(x.cols);
  for (Index i = 0; i < x.rows; ++i) {
    double mean = 0;
    for (Index j = 0; j < x.cols; ++j) mean += x(i, j);
    mean /= D;

    double squares = 0;
    for (Index j = 0; j < x.cols; ++j) squares += (x(i, j) - mean) * (x(i, j) - mean);

    const double deviation = params.variant == LayerNormVariant::standard
                                 ? std::sqrt(squares / D + params.eps)
                                 : std::sqrt(squares / (D - 1)) + params.eps;
    for (Index j = 0; j < x.cols; ++j) {
      const auto column = static_cast<std::size_t>(j);
      const double w = weight.empty() ? 1 : weight[column];
      const double b = bias.empty() ? 0 : bias[column];
      y(i, j) = w * (x(i, j) - mean) / deviation + b;
    }
  }
}

}  // namespace orrery::norm
