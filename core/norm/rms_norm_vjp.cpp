#include "core/norm/rms_norm_vjp.h"

#include <cmath>
#include <vector>

#include "core/norm/column_sums.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// What one row's derivative needs beside x and g: x̂ = x·scale, and the factor of x̂ Σ(ĝ x̂).
struct RmsRow {
  double scale, radial;
};

template <class T>
RmsRow row_of(std::span<const T> counted, const RmsNormParams& params) {
  const double k = static_cast<double>(counted.size());
  const double mean_square = tensor::sum(counted, [](double v) { return v * v; }) / k;
  if (params.eps_place == EpsPlace::inside) return {1 / std::sqrt(mean_square + params.eps), 1 / k};
  const double rms = std::sqrt(mean_square);
  return {1 / (rms + params.eps), rms == 0 ? 0 : (rms + params.eps) / (k * rms)};
}

}  // namespace

template <class T>
void rms_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                  const RmsNormParams& params, const RmsNormGradients<T>& result) {
  const Index k = std::min(counted_columns(x.cols, params), x.cols);
  std::vector<RmsRow> rows(static_cast<std::size_t>(x.rows));
  const auto x_hat = [&](Index i, Index j) {
    return static_cast<double>(x(i, j)) * rows[static_cast<std::size_t>(i)].scale;
  };
  const auto g_hat = [&](Index i, Index j) {
    const double gain =
        weight.empty() ? 1 : params.weight_offset + static_cast<double>(weight[static_cast<std::size_t>(j)]);
    return gain * static_cast<double>(g(i, j));
  };

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const RmsRow& row = rows[static_cast<std::size_t>(i)] =
          row_of(x.row(i).first(static_cast<std::size_t>(k)), params);
      double along = 0;
      for (Index j = 0; j < x.cols; ++j) along += g_hat(i, j) * x_hat(i, j);
      for (Index j = 0; j < x.cols; ++j) {
        const double radial = j < k ? x_hat(i, j) * along * row.radial : 0;
        result.x(i, j) = static_cast<T>(row.scale * (g_hat(i, j) - radial));
      }
    }
  });
  column_sums(x.rows, result.weight,
              [&](Index i, Index j) { return static_cast<double>(g(i, j)) * x_hat(i, j); });
  column_sums(x.rows, result.bias, [&](Index i, Index j) { return static_cast<double>(g(i, j)); });
}

template void rms_norm_vjp(tensor::View<const float>, std::span<const float>, tensor::View<const float>,
                           const RmsNormParams&, const RmsNormGradients<float>&);
template void rms_norm_vjp(tensor::View<const double>, std::span<const double>, tensor::View<const double>,
                           const RmsNormParams&, const RmsNormGradients<double>&);

}  // namespace orrery::norm
