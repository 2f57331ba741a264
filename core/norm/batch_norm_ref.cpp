#include <cmath>

#include "core/norm/batch_norm.h"
#include "core/norm/moments_ref.h"

namespace orrery::norm {

using tensor::Index;

void batch_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const BatchNormParams& params, tensor::View<double> y) {
  const double N = static_cast<double>(x.rows);
  for (Index j = 0; j < x.cols; ++j) {
    const MomentsRef m = moments_ref(x.rows, std::sqrt(params.eps), [&](Index i) { return x(i, j); });
    const double deviation = std::sqrt(m.squares / N + scaled_eps(params.eps, m.scale * m.scale));
    const auto column = static_cast<std::size_t>(j);
    const double w = weight.empty() ? 1 : weight[column];
    const double b = bias.empty() ? 0 : bias[column];
    for (Index i = 0; i < x.rows; ++i) y(i, j) = w * m.centred(x(i, j)) / deviation + b;
  }
}

}  // namespace orrery::norm
