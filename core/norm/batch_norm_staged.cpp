#include <cmath>

#include "core/norm/batch_norm.h"

namespace orrery::norm {

using tensor::Index;
using tensor::Rounding;

void batch_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const BatchNormParams& params,
                       const tensor::Precision& precision, tensor::View<double> y) {
  const Rounding store(precision.storage), acc(precision.accumulate);
  check_batch_norm(params, x.cols);
  const double N = static_cast<double>(x.rows), eps = acc(params.eps);

  for (Index j = 0; j < x.cols; ++j) {
    const auto column = static_cast<std::size_t>(j);
    double mean = 0, variance = 0;
    if (params.by_given_statistics()) {
      mean = acc(params.mean[column]);
      variance = acc(params.variance[column]);
    } else {
      double sum = 0, squares = 0;
      for (Index i = 0; i < x.rows; ++i) sum = acc(sum + store(x(i, j)));
      mean = acc(sum / N);
      for (Index i = 0; i < x.rows; ++i) {
        const double centred = acc(store(x(i, j)) - mean);
        squares = acc(squares + acc(centred * centred));
      }
      variance = acc(squares / N);
    }
    const double rstd = acc(1 / acc(std::sqrt(acc(variance + eps))));

    const double w = weight.empty() ? 1 : store(weight[column]);
    const double b = bias.empty() ? 0 : store(bias[column]);
    for (Index i = 0; i < x.rows; ++i) {
      const double centred = acc(store(x(i, j)) - mean);
      y(i, j) = store(acc(acc(acc(centred * rstd) * w) + b));
    }
  }
}

}  // namespace orrery::norm
