#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"

namespace orrery::attention {

using tensor::Index;

void softmax_ref(tensor::View<const double> x, const SoftmaxParams& params, tensor::View<double> y) {
  check_softmax(params, x.cols);
  for (Index i = 0; i < x.rows; ++i) {
    const KeyRange keys = params.mask.range(i, x.rows, x.cols);
    const auto in = keys.of(x.row(i));
    const auto out = keys.of(y.row(i));
    keys.clear_others(y.row(i));
    double max = params.sink.value_or(-INFINITY);
    bool nan = false;
    for (double v : in) {
      max = std::max(max, v);
      nan = nan || std::isnan(v);
    }
    // A fully masked row: −∞ − (−∞) would be NaN, and it is only −∞.
    if (max == -INFINITY) {
      for (double& v : out) v = nan ? NAN : 0;
      continue;
    }
    double sum = params.sink ? std::exp((*params.sink - max) / params.temperature) : 0;
    for (std::size_t j = 0; j < in.size(); ++j) {
      out[j] = std::exp((in[j] - max) / params.temperature);
      sum += out[j];
    }
    for (double& v : out) v /= sum;
  }
}

void softmax_lse_ref(tensor::View<const double> x, const SoftmaxParams& params, tensor::View<double> lse) {
  check_softmax(params, x.cols);
  for (Index i = 0; i < x.rows; ++i) {
    const auto in = params.mask.range(i, x.rows, x.cols).of(x.row(i));
    double max = params.sink.value_or(-INFINITY);
    bool nan = false;
    for (double v : in) {
      max = std::max(max, v);
      nan = nan || std::isnan(v);
    }
    double sum = params.sink ? std::exp((*params.sink - max) / params.temperature) : 0;
    for (double v : in) sum += std::exp((v - max) / params.temperature);
    // ∞ − ∞ would be NaN, and the logarithm of a sum is as infinite as the largest term.
    lse(i, 0) = nan ? NAN : std::isinf(max) ? max : max / params.temperature + std::log(sum);
  }
}

}  // namespace orrery::attention
