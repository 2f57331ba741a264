#include "core/norm/layer_norm_vjp.h"

#include <cmath>
#include <vector>

#include "core/norm/column_sums.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// What one row's derivative needs beside x and g: x̂ = (x − mean)·scale, and the factor of x̂ Σ(ĝ x̂).
struct CenteredRow {
  double mean, scale, radial;
};

template <class T>
CenteredRow row_of(std::span<const T> x, const LayerNormParams& params) {
  const double D = static_cast<double>(x.size());
  const double mean = tensor::sum(x, [](double v) { return v; }) / D;
  const double squares = tensor::sum(x, [mean](double v) { return (v - mean) * (v - mean); });
  if (params.variant == LayerNormVariant::standard)
    return {mean, 1 / std::sqrt(squares / D + params.eps), 1 / D};
  const double s = std::sqrt(squares / (D - 1));
  return {mean, 1 / (s + params.eps), s == 0 ? 0 : (s + params.eps) / ((D - 1) * s)};
}

}  // namespace

template <class T>
void layer_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const LayerNormParams& params, const LayerNormGradients<T>& result) {
  const double D = static_cast<double>(x.cols);
  std::vector<CenteredRow> rows(static_cast<std::size_t>(x.rows));
  const auto x_hat = [&](Index i, Index j) {
    const CenteredRow& row = rows[static_cast<std::size_t>(i)];
    return (static_cast<double>(x(i, j)) - row.mean) * row.scale;
  };
  const auto g_hat = [&](Index i, Index j) {
    const double w = weight.empty() ? 1 : static_cast<double>(weight[static_cast<std::size_t>(j)]);
    return w * static_cast<double>(g(i, j));
  };

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const CenteredRow& row = rows[static_cast<std::size_t>(i)] = row_of(x.row(i), params);
      double sum = 0, along = 0;  // of ĝ, and of ĝ x̂
      for (Index j = 0; j < x.cols; ++j) {
        sum += g_hat(i, j);
        along += g_hat(i, j) * x_hat(i, j);
      }
      for (Index j = 0; j < x.cols; ++j)
        result.x(i, j) =
            static_cast<T>(row.scale * (g_hat(i, j) - sum / D - x_hat(i, j) * along * row.radial));
    }
  });
  column_sums(x.rows, result.weight,
              [&](Index i, Index j) { return static_cast<double>(g(i, j)) * x_hat(i, j); });
  column_sums(x.rows, result.bias, [&](Index i, Index j) { return static_cast<double>(g(i, j)); });
}

template void layer_norm_vjp(tensor::View<const float>, std::span<const float>, tensor::View<const float>,
                             const LayerNormParams&, const LayerNormGradients<float>&);
template void layer_norm_vjp(tensor::View<const double>, std::span<const double>, tensor::View<const double>,
                             const LayerNormParams&, const LayerNormGradients<double>&);

}  // namespace orrery::norm
