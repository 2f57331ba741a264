#include "core/norm/layer_norm_vjp.h"

#include <cmath>
#include <type_traits>
#include <vector>

#include "core/norm/column_sums.h"
#include "core/norm/row_moments.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// What one row's derivative needs beside x and g: x̂ = centred · inverse, and the factor of x̂ Σ(ĝ x̂).
struct StandardRow {
  RowMoments moments;
  double inverse, radial;
};

template <class T>
StandardRow standard_row(std::span<const T> x, const LayerNormParams& params) {
  const double D = static_cast<double>(x.size());
  const bool standard = params.variant == LayerNormVariant::standard;
  RowMoments m = moments_in_range(x, standard ? std::sqrt(params.eps) : params.eps);
  // What the mean's rounding leaves stays in x̂ where it is below a 64th of a float's own: trainings, all in float, repeat
  // to the bit what they were before it was taken off.
  if (std::is_same_v<T, float> && std::abs(m.rest) < 0x1p-30 * std::sqrt(m.variance)) m.rest = 0;
  if (standard) return {m, inverse_deviation(m, params.eps), 1 / D};
  const double s = unbiased_deviation(m, D), divisor = s + scaled_eps(params.eps, m.scale);
  return {m, 1 / divisor, s == 0 ? 0 : divisor / ((D - 1) * s)};
}

}  // namespace

template <class T>
void layer_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const LayerNormParams& params, const LayerNormGradients<T>& result) {
  const double D = static_cast<double>(x.cols);
  std::vector<StandardRow> rows(static_cast<std::size_t>(x.rows));
  const auto x_hat = [&](Index i, Index j) {
    const StandardRow& row = rows[static_cast<std::size_t>(i)];
    return row.moments.centred(x(i, j)) * row.inverse;
  };
  const auto g_hat = [&](Index i, Index j) {
    const double w = weight.empty() ? 1 : static_cast<double>(weight[static_cast<std::size_t>(j)]);
    return w * static_cast<double>(g(i, j));
  };

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const StandardRow& row = rows[static_cast<std::size_t>(i)] = standard_row(x.row(i), params);
      double sum = 0, along = 0;  // of ĝ, and of ĝ x̂
      for (Index j = 0; j < x.cols; ++j) {
        sum += g_hat(i, j);
        along += g_hat(i, j) * x_hat(i, j);
      }
      for (Index j = 0; j < x.cols; ++j)
        result.x(i, j) = static_cast<T>(
            row.inverse * (g_hat(i, j) - sum / D - x_hat(i, j) * along * row.radial) * row.moments.scale);
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
