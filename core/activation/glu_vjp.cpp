#include "core/activation/glu_vjp.h"

#include "core/simd/share.h"

namespace orrery::activation {

using tensor::Index;

template <class T>
void glu_vjp(tensor::View<const T> x, tensor::View<const T> g, const GluParams& params, tensor::View<T> dx) {
  const Index F = g.cols;
  const Halves at(params, F);
  const Gate& gate = params.gate;
  simd::share(g.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index n = first; n < end; ++n)
      for (Index j = 0; j < F; ++j) {
        const double a = x(n, at.a(j)), b = x(n, at.b(j)), gradient = g(n, j);
        dx(n, at.a(j)) = static_cast<T>(gradient * gate.passed(b) * gate.activated_slope(a));
        dx(n, at.b(j)) = static_cast<T>(gradient * gate.activated(a) * gate.passed_slope(b));
      }
  });
}

template void glu_vjp(tensor::View<const float>, tensor::View<const float>, const GluParams&,
                      tensor::View<float>);
template void glu_vjp(tensor::View<const double>, tensor::View<const double>, const GluParams&,
                      tensor::View<double>);

}  // namespace orrery::activation
