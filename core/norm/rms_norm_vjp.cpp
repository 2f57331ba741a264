#include "core/norm/rms_norm_vjp.h"

#include <algorithm>
#include <vector>

#include "core/norm/column_sums.h"
#include "core/norm/root_mean_square.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// What one row's derivative needs beside x and g: x̂ = x · scale · inverse, and the factor of x̂ Σ(ĝ x̂).
struct RmsRow {
  double scale, inverse, radial;
};

template <class T>
RmsRow rms_row(std::span<const T> counted, const RmsNormParams& params) {
  const double k = static_cast<double>(counted.size());
  const auto [root, divisor, scale] = root_mean_square(counted, params);
  if (params.eps_place == EpsPlace::inside) return {scale, 1 / divisor, 1 / k};
  return {scale, 1 / divisor, root == 0 ? 0 : divisor / (k * root)};
}

}  // namespace

template <class T>
void rms_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                  const RmsNormParams& params, const RmsNormGradients<T>& result) {
  const Index k = std::min(counted_columns(x.cols, params), x.cols);
  std::vector<RmsRow> rows(static_cast<std::size_t>(x.rows));
  const auto x_hat = [&](Index i, Index j) {
    const RmsRow& row = rows[static_cast<std::size_t>(i)];
    return static_cast<double>(x(i, j)) * row.scale * row.inverse;
  };
  const auto g_hat = [&](Index i, Index j) {
    const double gain =
        weight.empty() ? 1 : params.weight_offset + static_cast<double>(weight[static_cast<std::size_t>(j)]);
    return gain * static_cast<double>(g(i, j));
  };

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const RmsRow& row = rows[static_cast<std::size_t>(i)] =
          rms_row(x.row(i).first(static_cast<std::size_t>(k)), params);
      double along = 0;
      for (Index j = 0; j < x.cols; ++j) along += g_hat(i, j) * x_hat(i, j);
      for (Index j = 0; j < x.cols; ++j) {
        const double radial = j < k ? x_hat(i, j) * along * row.radial : 0;
        result.x(i, j) = static_cast<T>(row.inverse * (g_hat(i, j) - radial) * row.scale);
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
