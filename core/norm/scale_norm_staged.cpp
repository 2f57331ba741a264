#include <algorithm>
#include <cmath>

#include "core/norm/scale_norm.h"

namespace orrery::norm {

using tensor::Index;
using tensor::Rounding;

void scale_norm_staged(tensor::View<const double> x, double gain, const ScaleNormParams& params,
                       const tensor::Precision& precision, tensor::View<double> y) {
  const Rounding store(precision.storage), acc(precision.accumulate);
  const double eps = acc(params.eps);
  for (Index i = 0; i < x.rows; ++i) {
    double squares = 0;
    for (const double v : x.row(i)) squares = acc(squares + acc(store(v) * store(v)));
    const double norm = std::max(acc(std::sqrt(squares)), eps);
    const double scale = acc(store(gain) / norm);
    for (Index j = 0; j < x.cols; ++j) y(i, j) = store(acc(store(x(i, j)) * scale));
  }
}

}  // namespace orrery::norm
