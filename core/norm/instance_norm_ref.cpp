#include <cmath>

#include "core/norm/instance_norm.h"
#include "core/norm/moments_ref.h"

namespace orrery::norm {

using tensor::Index;

void instance_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const InstanceNormParams& params,
                       tensor::View<double> y) {
  const Index positions = params.positions;
  const double T = static_cast<double>(positions);
  for (Index first = 0; first < x.rows; first += positions) {
    for (Index j = 0; j < x.cols; ++j) {
      const MomentsRef m =
          moments_ref(positions, std::sqrt(params.eps), [&](Index t) { return x(first + t, j); });
      const double deviation = std::sqrt(m.squares / T + scaled_eps(params.eps, m.scale * m.scale));
      const auto column = static_cast<std::size_t>(j);
      const double w = weight.empty() ? 1 : weight[column];
      const double b = bias.empty() ? 0 : bias[column];
      for (Index i = first; i < first + positions; ++i) y(i, j) = w * m.centred(x(i, j)) / deviation + b;
    }
  }
}

}  // namespace orrery::norm
