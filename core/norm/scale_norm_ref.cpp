#include <algorithm>
#include <cmath>

#include "core/norm/scale_norm.h"

namespace orrery::norm {

using tensor::Index;

void scale_norm_ref(tensor::View<const double> x, double gain, const ScaleNormParams& params,
                    tensor::View<double> y) {
  for (Index i = 0; i < x.rows; ++i) {
    double squares = 0;
    for (Index j = 0; j < x.cols; ++j) squares += x(i, j) * x(i, j);
    const double norm = std::max(std::sqrt(squares), params.eps);  // in this order NaN stays NaN
    for (Index j = 0; j < x.cols; ++j) y(i, j) = gain * x(i, j) / norm;
  }
}

}  // namespace orrery::norm
