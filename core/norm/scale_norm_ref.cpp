#include <algorithm>
#include <cmath>

#include "core/norm/double_range.h"
#include "core/norm/scale_norm.h"

namespace orrery::norm {

using tensor::Index;

void scale_norm_ref(tensor::View<const double> x, double gain, const ScaleNormParams& params,
                    tensor::View<double> y) {
  for (Index i = 0; i < x.rows; ++i) {
    double largest = params.eps;
    for (Index j = 0; j < x.cols; ++j) largest = std::max(largest, std::abs(x(i, j)));
    const double scale = scale_for_squares(largest);  // 1 unless squares leave double

    double squares = 0;
    for (Index j = 0; j < x.cols; ++j) squares += (x(i, j) * scale) * (x(i, j) * scale);
    const double norm = std::max(std::sqrt(squares), params.eps * scale);  // in this order NaN stays NaN
    for (Index j = 0; j < x.cols; ++j) y(i, j) = gain * (x(i, j) * scale) / norm;
  }
}

}  // namespace orrery::norm
