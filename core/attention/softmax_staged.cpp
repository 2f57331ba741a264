#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"

namespace orrery::attention {

using tensor::Index;

void softmax_staged(tensor::View<const double> x, const SoftmaxParams& params,
                    const tensor::Precision& precision, SoftmaxStages stages, tensor::View<double> y) {
  check_softmax(params);
  const tensor::Rounding store(precision.storage);
  const tensor::Rounding acc(stages == SoftmaxStages::storage ? precision.storage : precision.accumulate);
  const double sink = params.sink ? store(*params.sink) : -INFINITY;
  for (Index i = 0; i < x.rows; ++i) {
    double max = sink;
    bool nan = false;
    for (const double v : x.row(i)) {
      max = std::max(max, store(v));
      nan = nan || std::isnan(v);
    }
    if (max == -INFINITY) {
      std::ranges::fill(y.row(i), nan ? NAN : 0);
      continue;
    }
    const auto weight = [&](double v) {
      double z = acc(store(v) - max);
      if (params.temperature != 1) z = acc(z / params.temperature);
      return acc(std::exp(z));
    };
    double sum = params.sink ? weight(sink) : 0;
    for (Index j = 0; j < x.cols; ++j) {
      y(i, j) = weight(x(i, j));
      sum = acc(sum + y(i, j));
    }
    for (double& v : y.row(i)) v = store(acc(v / sum));
  }
}

}  // namespace orrery::attention
