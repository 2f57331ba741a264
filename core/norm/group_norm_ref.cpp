#include <cmath>

#include "core/norm/group_norm.h"
#include "core/norm/moments_ref.h"

namespace orrery::norm {

using tensor::Index;

void group_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const GroupNormParams& params, tensor::View<double> y) {
  const Index width = x.cols / params.groups;
  const double count = static_cast<double>(width);
  for (Index i = 0; i < x.rows; ++i) {
    for (Index first = 0; first < x.cols; first += width) {
      const MomentsRef m =
          moments_ref(width, std::sqrt(params.eps), [&](Index k) { return x(i, first + k); });
      const double deviation = std::sqrt(m.squares / count + scaled_eps(params.eps, m.scale * m.scale));
      for (Index j = first; j < first + width; ++j) {
        const auto column = static_cast<std::size_t>(j);
        const double w = weight.empty() ? 1 : weight[column];
        const double b = bias.empty() ? 0 : bias[column];
        y(i, j) = w * m.centred(x(i, j)) / deviation + b;
      }
    }
  }
}

}  // namespace orrery::norm
