#include "core/norm/instance_norm.h"

namespace orrery::norm {

using tensor::Index;

void instance_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                          std::span<const double> bias, const InstanceNormParams& params,
                          const tensor::Precision& precision, tensor::View<double> y) {
  if (x.empty()) return;
  const Index positions = params.positions;
  for (Index b = 0; b < x.rows / positions; ++b)
    batch_norm_staged(rows_of_sample(x, b, positions), weight, bias, {.eps = params.eps}, precision,
                      rows_of_sample(y, b, positions));
}

}  // namespace orrery::norm
