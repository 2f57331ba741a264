#include <cmath>

#include "core/norm/group_norm.h"

namespace orrery::norm {

using tensor::Index;

void group_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const GroupNormParams& params, tensor::View<double> y) {
  const Index width = x.cols / params.groups;
  const double count = static_cast<double>(width);
  for (Index i = 0; i < x.rows; ++i) {
    for (Index first = 0; first < x.cols; first += width) {
      const Index end = first + width;
      double mean = 0;
      for (Index j = first; j < end; ++j) mean += x(i, j);
      mean /= count;

      double squares = 0;
      for (Index j = first; j < end; ++j) squares += (x(i, j) - mean) * (x(i, j) - mean);

      const double deviation = std::sqrt(squares / count + params.eps);
      for (Index j = first; j < end; ++j) {
        const auto column = static_cast<std::size_t>(j);
        const double w = weight.empty() ? 1 : weight[column];
        const double b = bias.empty() ? 0 : bias[column];
        y(i, j) = w * (x(i, j) - mean) / deviation + b;
      }
    }
  }
}

}  // namespace orrery::norm
