#include <cmath>

#include "core/norm/layer_norm.h"
#include "core/norm/moments_ref.h"

namespace orrery::norm {

using tensor::Index;

void layer_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const LayerNormParams& params, tensor::View<double> y) {
  const double D = static_cast<double>(x.cols);
  const bool standard = params.variant == LayerNormVariant::standard;
  for (Index i = 0; i < x.rows; ++i) {
    const MomentsRef m =
        moments_ref(x.cols, standard ? std::sqrt(params.eps) : params.eps, [&](Index j) { return x(i, j); });
    const double deviation = standard ? std::sqrt(m.squares / D + scaled_eps(params.eps, m.scale * m.scale))
                                      : std::sqrt(m.squares / (D - 1)) + scaled_eps(params.eps, m.scale);
    for (Index j = 0; j < x.cols; ++j) {
      const auto column = static_cast<std::size_t>(j);
      const double w = weight.empty() ? 1 : weight[column];
      const double b = bias.empty() ? 0 : bias[column];
      y(i, j) = w * m.centred(x(i, j)) / deviation + b;
    }
  }
}

}  // namespace orrery::norm
