#include "core/norm/batch_norm_vjp.h"

#include <cmath>
#include <vector>

#include "core/norm/row_moments.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// Of the batch, or those that are given.
RowMoments moments_of(std::span<const double> values, std::size_t column, const BatchNormParams& params) {
  if (params.by_given_statistics()) return {.mean = params.mean[column], .variance = params.variance[column]};
  return moments_in_range(values, std::sqrt(params.eps));
}

}  // namespace

template <class T>
void batch_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const BatchNormParams& params, const BatchNormGradients<T>& result) {
  check_batch_norm(params, x.cols);
  const bool given = params.by_given_statistics();
  const double N = static_cast<double>(x.rows);

  simd::share(x.cols, x.size(), [&](Index first, Index end) {
    std::vector<double> values(static_cast<std::size_t>(x.rows));
    for (Index j = first; j < end; ++j) {
      const auto column = static_cast<std::size_t>(j);
      for (Index i = 0; i < x.rows; ++i) values[static_cast<std::size_t>(i)] = static_cast<double>(x(i, j));
      const RowMoments m = moments_of(values, column, params);
      const double inverse = inverse_deviation(m, params.eps);
      const auto x_hat = [&](Index i) { return m.centred(values[static_cast<std::size_t>(i)]) * inverse; };
      const auto gradient = [&](Index i) { return static_cast<double>(g(i, j)); };

      double sum = 0, along = 0;  // of g, and of g x̂
      for (Index i = 0; i < x.rows; ++i) {
        sum += gradient(i);
        along += gradient(i) * x_hat(i);
      }
      const double w = weight.empty() ? 1 : static_cast<double>(weight[column]);
      for (Index i = 0; i < x.rows; ++i)
        result.x(i, j) = static_cast<T>(
            w * inverse * (given ? gradient(i) : gradient(i) - sum / N - x_hat(i) * along / N) * m.scale);
      if (!result.weight.empty()) result.weight[column] = static_cast<T>(along);
      if (!result.bias.empty()) result.bias[column] = static_cast<T>(sum);
    }
  });
}

template void batch_norm_vjp(tensor::View<const float>, std::span<const float>, tensor::View<const float>,
                             const BatchNormParams&, const BatchNormGradients<float>&);
template void batch_norm_vjp(tensor::View<const double>, std::span<const double>, tensor::View<const double>,
                             const BatchNormParams&, const BatchNormGradients<double>&);

}  // namespace orrery::norm
