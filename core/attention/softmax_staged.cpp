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
    const KeyRange keys = params.mask.range(i, x.rows, x.cols);
    const auto in = keys.of(x.row(i));
    const auto out = keys.of(y.row(i));
    keys.clear_others(y.row(i));
    double max = sink;
    bool nan = false;
    for (const double v : in) {
      max = std::max(max, store(v));
      nan = nan || std::isnan(v);
    }
    if (max == -INFINITY) {
      std::ranges::fill(out, nan ? NAN : 0);
      continue;
    }
    const auto weight = [&](double v) {
      double z = acc(store(v) - max);
      if (params.temperature != 1) z = acc(z / params.temperature);
      return acc(std::exp(z));
    };
    double sum = params.sink ? weight(sink) : 0;
    for (std::size_t j = 0; j < in.size(); ++j) {
      out[j] = weight(in[j]);
      sum = acc(sum + out[j]);
    }
    for (double& v : out) v = store(acc(v / sum));
  }
}

}  // namespace orrery::attention
