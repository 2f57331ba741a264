#include "core/norm/dyt_vjp.h"

#include <cmath>

#include "core/norm/column_sums.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

template <class T>
void dyt_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
             const DytParams& params, const DytGradients<T>& result) {
  const auto scaled = [&](Index i, Index j) { return params.alpha * static_cast<double>(x(i, j)); };
  const auto gradient = [&](Index i, Index j) { return static_cast<double>(g(i, j)); };

  simd::share(x.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      for (Index j = 0; j < x.cols; ++j) {
        const double w = weight.empty() ? 1 : static_cast<double>(weight[static_cast<std::size_t>(j)]);
        const double cosh = std::cosh(scaled(i, j));
        result.x(i, j) = static_cast<T>(params.alpha * w * gradient(i, j) / cosh / cosh);
      }
    }
  });
  column_sums(x.rows, result.weight,
              [&](Index i, Index j) { return gradient(i, j) * std::tanh(scaled(i, j)); });
  column_sums(x.rows, result.bias, gradient);
}

template void dyt_vjp(tensor::View<const float>, std::span<const float>, tensor::View<const float>,
                      const DytParams&, const DytGradients<float>&);
template void dyt_vjp(tensor::View<const double>, std::span<const double>, tensor::View<const double>,
                      const DytParams&, const DytGradients<double>&);

}  // namespace orrery::norm
