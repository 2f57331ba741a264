#include "core/activation/glu_vjp.h"

#include "core/simd/share.h"

namespace orrery::activation {

using tensor::Index;

template <class T>
void glu_vjp(tensor::View<const T> x, tensor::View<const T> g, const GluParams& params, tensor::View<T> dx) {
  const Index F = g.cols;
  const Index a = params.gated == Half::first ? 0 : F, b = F - a;
  simd::share(g.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index n = first; n < end; ++n)
      for (Index j = 0; j < F; ++j) {
        const double gate = x(n, a + j), passed = x(n, b + j), gradient = g(n, j);
        dx(n, a + j) = static_cast<T>(gradient * passed * derivative(params.gate, gate));
        dx(n, b + j) = static_cast<T>(gradient * value(params.gate, gate));
      }
  });
}

template void glu_vjp(tensor::View<const float>, tensor::View<const float>, const GluParams&,
                      tensor::View<float>);
template void glu_vjp(tensor::View<const double>, tensor::View<const double>, const GluParams&,
                      tensor::View<double>);

}  // namespace orrery::activation
