#include <cmath>

#include "core/norm/dyt.h"

namespace orrery::norm {

using tensor::Index;
using tensor::Rounding;

void dyt_staged(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
                const DytParams& params, const tensor::Precision& precision, tensor::View<double> y) {
  const Rounding store(precision.storage), acc(precision.accumulate);
  const double alpha = acc(params.alpha);
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      const auto column = static_cast<std::size_t>(j);
      const double w = weight.empty() ? 1 : store(weight[column]);
      const double b = bias.empty() ? 0 : store(bias[column]);
      const double t = acc(std::tanh(acc(alpha * store(x(i, j)))));
      y(i, j) = store(acc(acc(w * t) + b));
    }
  }
}

}  // namespace orrery::norm
