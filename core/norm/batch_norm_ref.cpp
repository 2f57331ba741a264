#include <cmath>

#include "core/norm/batch_norm.h"

namespace orrery::norm {

using tensor::Index;

void batch_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const BatchNormParams& params, tensor::View<double> y) {
  const double N = static_cast<double>(x.rows);
  for (Index j = 0; j < x.cols; ++j) {
    double mean = 0;
    for (Index i = 0; i < x.rows; ++i) mean += x(i, j);
    mean /= N;

    double variance = 0;
    for (Index i = 0; i < x.rows; ++i) variance += (x(i, j) - mean) * (x(i, j) - mean);
    variance /= N;

    const double deviation = std::sqrt(variance + params.eps);
    const auto column = static_cast<std::size_t>(j);
    const double w = weight.empty() ? 1 : weight[column];
    const double b = bias.empty() ? 0 : bias[column];
    for (Index i = 0; i < x.rows; ++i) y(i, j) = w * (x(i, j) - mean) / deviation + b;
  }
}

}  // namespace orrery::norm
