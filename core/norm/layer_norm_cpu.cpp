#include <cmath>

#include "core/norm/layer_norm.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// y = (w or 1)·(x − mean)·rstd + (b or 0). Which of the two is given is settled outside the loop.
template <class T, class Weight, class Bias>
void scale_row(std::span<const T> x, double mean, double rstd, Weight weight, Bias bias, std::span<T> y) {
  for (std::size_t j = 0; j < x.size(); ++j)
    y[j] = static_cast<T>(weight(j) * ((static_cast<double>(x[j]) - mean) * rstd) + bias(j));
}

}  // namespace

template <class T>
void layer_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const LayerNormParams& params, tensor::View<T> y) {
  if (params.estimator != Estimator::two_pass || params.variant != LayerNormVariant::standard)
    return layer_norm_variant_cpu(x, weight, bias, params, y);
  const auto given_weight = [weight](std::size_t j) { return static_cast<double>(weight[j]); };
  const auto given_bias = [bias](std::size_t j) { return static_cast<double>(bias[j]); };
  const auto one = [](std::size_t) { return 1.0; };
  const auto zero = [](std::size_t) { return 0.0; };
  const double D = static_cast<double>(x.cols);

#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work)
  for (Index i = 0; i < x.rows; ++i) {
    const std::span<const T> row = x.row(i);
    const double mean = tensor::sum(row, [](double v) { return v; }) / D;
    const double variance = tensor::sum(row, [mean](double v) { return (v - mean) * (v - mean); }) / D;
    const double rstd = 1 / std::sqrt(variance + params.eps);

    if (weight.empty() && bias.empty()) {
      scale_row(row, mean, rstd, one, zero, y.row(i));
    } else if (bias.empty()) {
      scale_row(row, mean, rstd, given_weight, zero, y.row(i));
    } else if (weight.empty()) {
      scale_row(row, mean, rstd, one, given_bias, y.row(i));
    } else {
      scale_row(row, mean, rstd, given_weight, given_bias, y.row(i));
    }
  }
}

template void layer_norm_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                             const LayerNormParams&, tensor::View<float>);
template void layer_norm_cpu(tensor::View<const double>, std::span<const double>, std::span<const double>,
                             const LayerNormParams&, tensor::View<double>);

}  // namespace orrery::norm
