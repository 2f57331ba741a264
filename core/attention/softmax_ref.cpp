#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"

namespace orrery::attention {

using tensor::Index;

void softmax_ref(tensor::View<const double> x, const SoftmaxParams& params, tensor::View<double> y) {
  check_softmax(params);
  for (Index i = 0; i < x.rows; ++i) {
    double max = params.sink.value_or(-INFINITY);
    bool nan = false;
    for (double v : x.row(i)) {
      max = std::max(max, v);
      nan = nan || std::isnan(v);
    }
    // A fully masked row: −∞ − (−∞) would be NaN, and it is only −∞.
    if (max == -INFINITY) {
      for (double& v : y.row(i)) v = nan ? NAN : 0;
      continue;
    }
    double sum = params.sink ? std::exp((*params.sink - max) / params.temperature) : 0;
    for (Index j = 0; j < x.cols; ++j) {
      y(i, j) = std::exp((x(i, j) - max) / params.temperature);
      sum += y(i, j);
    }
    for (double& v : y.row(i)) v /= sum;
  }
}

}  // namespace orrery::attention
