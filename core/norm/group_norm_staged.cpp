#include "core/norm/group_norm.h"
#include "core/norm/layer_norm.h"

namespace orrery::norm {

void group_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const GroupNormParams& params,
                       const tensor::Precision& precision, tensor::View<double> y) {
  const tensor::Index G = params.groups;
  for (tensor::Index k = 0; k < G; ++k)
    layer_norm_staged(columns_of_group(x, k, G), columns_of_group(weight, k, G), columns_of_group(bias, k, G),
                      {.eps = params.eps}, precision, columns_of_group(y, k, G));
}

}  // namespace orrery::norm
