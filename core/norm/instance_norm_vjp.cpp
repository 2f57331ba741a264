#include "core/norm/instance_norm_vjp.h"

#include <algorithm>
#include <vector>

#include "core/norm/batch_norm_vjp.h"

namespace orrery::norm {

using tensor::Index;
using tensor::Matrix;

template <class T>
void instance_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                       const InstanceNormParams& params, const InstanceNormGradients<T>& result) {
  const Index positions = params.positions, samples = x.empty() ? 0 : x.rows / positions;
  const std::vector<double> gain(weight.begin(), weight.end());
  // Sums over all samples, in double until the last of them.
  std::vector<double> dw(result.weight.size()), db(result.bias.size()), of_weight(dw.size()),
      of_bias(db.size());
  Matrix<double> dx(positions, x.cols);
  for (Index b = 0; b < samples; ++b) {
    const Matrix<double> sample = rows_of_sample(x, b, positions).eigen().template cast<double>(),
                         gradient = rows_of_sample(g, b, positions).eigen().template cast<double>();
    batch_norm_vjp<double>(sample, gain, gradient, {.eps = params.eps}, {dx, of_weight, of_bias});
    rows_of_sample(result.x, b, positions).eigen() = dx.template cast<T>();
    std::ranges::transform(dw, of_weight, dw.begin(), std::plus());
    std::ranges::transform(db, of_bias, db.begin(), std::plus());
  }
  const auto rounded = [](double v) { return static_cast<T>(v); };
  std::ranges::transform(dw, result.weight.begin(), rounded);
  std::ranges::transform(db, result.bias.begin(), rounded);
}

template void instance_norm_vjp(tensor::View<const float>, std::span<const float>, tensor::View<const float>,
                                const InstanceNormParams&, const InstanceNormGradients<float>&);
template void instance_norm_vjp(tensor::View<const double>, std::span<const double>,
                                tensor::View<const double>, const InstanceNormParams&,
                                const InstanceNormGradients<double>&);

}  // namespace orrery::norm
