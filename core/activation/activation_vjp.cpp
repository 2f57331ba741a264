#include "core/activation/activation_vjp.h"

#include "core/simd/share.h"

namespace orrery::activation {

using tensor::Index;

template <class T>
void activation_vjp(tensor::View<const T> x, tensor::View<const T> g, const ActivationParams& params,
                    tensor::View<T> dx) {
  simd::share(x.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      for (Index j = 0; j < x.cols; ++j)
        dx(i, j) =
            static_cast<T>(static_cast<double>(g(i, j)) * derivative(params, static_cast<double>(x(i, j))));
  });
}

template void activation_vjp(tensor::View<const float>, tensor::View<const float>, const ActivationParams&,
                             tensor::View<float>);
template void activation_vjp(tensor::View<const double>, tensor::View<const double>, const ActivationParams&,
                             tensor::View<double>);

}  // namespace orrery::activation
