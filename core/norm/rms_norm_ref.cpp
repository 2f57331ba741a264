#include <cmath>

#include "core/norm/rms_norm.h"

namespace orrery::norm {

using tensor::Index;

void rms_norm_ref(tensor::View<const double> x, std::span<const double> weight, const RmsNormParams& params,
                  tensor::View<double> y) {
  if (x.empty()) return;
  const Index k = counted_columns(x.cols, params);
  for (Index i = 0; i < x.rows; ++i) {
    double mean_square = 0;
    for (Index j = 0; j < k; ++j) mean_square += x(i, j) * x(i, j);
    mean_square /= static_cast<double>(k);

    const double rms = params.eps_place == EpsPlace::inside ? std::sqrt(mean_square + params.eps)
                                                            : std::sqrt(mean_square) + params.eps;
    for (Index j = 0; j < x.cols; ++j) {
      const double gain = weight.empty() ? 1 : params.weight_offset + weight[static_cast<std::size_t>(j)];
      y(i, j) = gain * x(i, j) / rms;
    }
  }
}

}  // namespace orrery::norm
