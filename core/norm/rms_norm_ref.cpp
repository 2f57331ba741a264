#include <algorithm>
#include <cmath>

#include "core/norm/double_range.h"
#include "core/norm/rms_norm.h"

namespace orrery::norm {

using tensor::Index;

void rms_norm_ref(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
                  const RmsNormParams& params, tensor::View<double> y) {
  if (x.empty()) return;
  const Index k = counted_columns(x.cols, params);
  const bool inside = params.eps_place == EpsPlace::inside;
  for (Index i = 0; i < x.rows; ++i) {
    double largest = inside ? std::sqrt(params.eps) : params.eps;
    for (Index j = 0; j < k; ++j) largest = std::max(largest, std::abs(x(i, j)));
    const double scale = scale_for_squares(largest);  // 1 unless squares leave double

    double mean_square = 0;
    for (Index j = 0; j < k; ++j) mean_square += (x(i, j) * scale) * (x(i, j) * scale);
    mean_square /= static_cast<double>(k);

    const double rms = inside ? std::sqrt(mean_square + scaled_eps(params.eps, scale * scale))
                              : std::sqrt(mean_square) + scaled_eps(params.eps, scale);
    for (Index j = 0; j < x.cols; ++j) {
      const auto column = static_cast<std::size_t>(j);
      const double gain = weight.empty() ? 1 : params.weight_offset + weight[column];
      const double scaled = gain * (x(i, j) * scale) / rms;
      y(i, j) = bias.empty() ? scaled : scaled + bias[column];
    }
  }
}

}  // namespace orrery::norm
