#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"

namespace orrery::attention {

using tensor::Index;

void softmax_staged(tensor::View<const double> x, const SoftmaxParams& params,
                    const tensor::Precision& precision, SoftmaxStages stages, tensor::View<double> y) {
  check_softmax(params, x.cols);
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

void softmax_lse_staged(tensor::View<const double> x, const SoftmaxParams& params,
                        const tensor::Precision& precision, SoftmaxStages stages, tensor::View<double> lse) {
  check_softmax(params, x.cols);
  const tensor::Rounding store(precision.storage);
  const tensor::Rounding acc(stages == SoftmaxStages::storage ? precision.storage : precision.accumulate);
  const auto divided = [&](double v) {
    return params.temperature == 1 ? acc(v) : acc(v / params.temperature);
  };
  const double sink = params.sink ? store(*params.sink) : -INFINITY;
  for (Index i = 0; i < x.rows; ++i) {
    const auto in = params.mask.range(i, x.rows, x.cols).of(x.row(i));
    double max = sink;
    bool nan = false;
    for (const double v : in) {
      max = std::max(max, store(v));
      nan = nan || std::isnan(v);
    }
    if (nan || std::isinf(max)) {
      lse(i, 0) = nan ? NAN : max;
      continue;
    }
    const auto term = [&](double v) { return acc(std::exp(divided(acc(store(v) - max)))); };
    double sum = params.sink ? term(sink) : 0;
    for (const double v : in) sum = acc(sum + term(v));
    lse(i, 0) = store(acc(divided(max) + acc(std::log(sum))));
  }
}

}  // namespace orrery::attention
