#include <algorithm>
#include <cmath>

#include "core/norm/layer_norm.h"
#include "core/norm/row_moments.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

namespace {

template <class T>
RowMoments one_pass(std::span<const T> x, double scale) {
  const double D = static_cast<double>(x.size());
  const double mean = tensor::sum(x, [scale](double v) { return v * scale; }) / D,
               square = tensor::sum(x, [scale](double v) { return v * scale * (v * scale); }) / D;
  return {.mean = mean, .variance = square - mean * mean, .scale = scale};
}

template <class T>
RowMoments welford(std::span<const T> x, double scale) {
  double mean = 0, squares = 0, k = 0;
  for (const T element : x) {
    const double value = static_cast<double>(element) * scale, delta = value - mean;
    k += 1;
    mean += delta / k;
    squares += delta * (value - mean);
  }
  return {.mean = mean, .variance = squares / k, .scale = scale};
}

template <class T>
RowMoments moments(std::span<const T> x, Estimator estimator, double scale) {
  switch (estimator) {
    case Estimator::one_pass:
      return one_pass(x, scale);
    case Estimator::welford:
      return welford(x, scale);
    case Estimator::two_pass:
      break;
  }
  return two_pass_moments(x, scale);
}

}  // namespace

template <class T>
void layer_norm_variant_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                            const LayerNormParams& params, tensor::View<T> y) {
  const double D = static_cast<double>(x.cols);
  const bool standard = params.variant == LayerNormVariant::standard;

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const std::span<const T> from = x.row(i);
      const std::span<T> to = y.row(i);
      const RowMoments m =
          moments_in_range(from, standard ? std::sqrt(params.eps) : params.eps,
                           [&](double scale) { return moments(from, params.estimator, scale); });
      const double rstd = standard ? inverse_deviation(m, params.eps)
                                   : 1 / (unbiased_deviation(m, D) + scaled_eps(params.eps, m.scale));
      for (std::size_t j = 0; j < from.size(); ++j) {
        const double w = weight.empty() ? 1 : static_cast<double>(weight[j]);
        const double b = bias.empty() ? 0 : static_cast<double>(bias[j]);
        to[j] = static_cast<T>(w * (m.centred(from[j]) * rstd) + b);
      }
    }
  });
}

double layer_norm_estimator_loss(tensor::View<const double> x, const LayerNormParams& params) {
  if (params.estimator == Estimator::two_pass) return 0;
  const double eps = params.variant == LayerNormVariant::standard ? params.eps : params.eps * params.eps;
  double largest = 0;  // κ²
  for (Index i = 0; i < x.rows; ++i) {
    const RowMoments m = two_pass_moments(std::span<const double>(x.row(i)));
    const double ratio = (m.variance + m.mean * m.mean) / (m.variance + eps);
    if (std::isfinite(ratio)) largest = std::max(largest, ratio);
  }
  const double kappa = params.estimator == Estimator::one_pass ? largest : std::sqrt(largest);
  return std::sqrt(static_cast<double>(x.cols)) * 0x1p-53 * kappa;
}

template void layer_norm_variant_cpu(tensor::View<const float>, std::span<const float>,
                                     std::span<const float>, const LayerNormParams&, tensor::View<float>);
template void layer_norm_variant_cpu(tensor::View<const double>, std::span<const double>,
                                     std::span<const double>, const LayerNormParams&, tensor::View<double>);

}  // namespace orrery::norm
