#include "core/norm/group_norm_vjp.h"

#include "core/norm/layer_norm_vjp.h"

namespace orrery::norm {

template <class T>
void group_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const GroupNormParams& params, const GroupNormGradients<T>& result) {
  const tensor::Index G = params.groups;
  for (tensor::Index k = 0; k < G; ++k)
    layer_norm_vjp<T>(columns_of_group(x, k, G), columns_of_group(weight, k, G), columns_of_group(g, k, G),
                      {.eps = params.eps},
                      {columns_of_group(result.x, k, G), columns_of_group(result.weight, k, G),
                       columns_of_group(result.bias, k, G)});
}

template void group_norm_vjp(tensor::View<const float>, std::span<const float>, tensor::View<const float>,
                             const GroupNormParams&, const GroupNormGradients<float>&);
template void group_norm_vjp(tensor::View<const double>, std::span<const double>, tensor::View<const double>,
                             const GroupNormParams&, const GroupNormGradients<double>&);

}  // namespace orrery::norm
