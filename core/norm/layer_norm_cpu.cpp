#include <cmath>

#include "core/norm/kernels.h"
#include "core/norm/layer_norm.h"
#include "core/norm/layer_norm_part.h"
#include "core/norm/row_moments.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// y = (w or 1)·(x − mean)·rstd + (b or 0). Which of the two is given is settled outside the loop.
template <class T, class Weight, class Bias>
void scale_row(std::span<const T> x, const RowMoments& m, double rstd, Weight weight, Bias bias,
               std::span<T> y) {
  for (std::size_t j = 0; j < x.size(); ++j)
    y[j] = static_cast<T>(weight(j) * (m.centred(x[j]) * rstd) + bias(j));
}

/// One row in double: the twin for double, and for the rows whose squares leave float.
template <class T>
void layer_norm_row(std::span<const T> x, std::span<const T> weight, std::span<const T> bias, double eps,
                    std::span<T> y) {
  const RowMoments m = moments_in_range(x, std::sqrt(eps));
  const double rstd = inverse_deviation(m, eps);

  const auto given_weight = [weight](std::size_t j) { return static_cast<double>(weight[j]); };
  const auto given_bias = [bias](std::size_t j) { return static_cast<double>(bias[j]); };
  const auto one = [](std::size_t) { return 1.0; };
  const auto zero = [](std::size_t) { return 0.0; };
  if (weight.empty() && bias.empty()) {
    scale_row(x, m, rstd, one, zero, y);
  } else if (bias.empty()) {
    scale_row(x, m, rstd, given_weight, zero, y);
  } else if (weight.empty()) {
    scale_row(x, m, rstd, one, given_bias, y);
  } else {
    scale_row(x, m, rstd, given_weight, given_bias, y);
  }
}

/// Where a row has only a few columns, w·x̂ + b may cancel in all of them: in double, no digit of the sum is lost.
constexpr Index narrow = 16;

}  // namespace

template <class T>
LayerNormPart<T>::LayerNormPart(std::span<const T> weight, std::span<const T> bias, Index cols, double eps)
    : weight_(weight), bias_(bias), eps_(eps) {
  if (weight.empty() && bias.empty()) return;
  if (weight.empty()) missing_.assign(static_cast<std::size_t>(cols), T{1});
  if (bias.empty()) missing_.assign(static_cast<std::size_t>(cols), -T{0});
  weights_ = weight.empty() ? missing_.data() : weight.data();
  biases_ = bias.empty() ? missing_.data() : bias.data();
}

template <>
void LayerNormPart<double>::rows(tensor::View<const double> x, tensor::View<double> y, Index first, Index end,
                                 bool /*streamed*/) const {
  for (Index i = first; i < end; ++i) layer_norm_row(x.row(i), weight_, bias_, eps_, y.row(i));
}

template <>
void LayerNormPart<float>::rows(tensor::View<const float> x, tensor::View<float> y, Index first, Index end,
                                bool streamed) const {
  for (Index i = first; i < end; ++i) {
    if (x.cols >= narrow) i += layer_norm_rows(float_rows(x, y, i, end, streamed), weights_, biases_, eps_);
    if (i < end) layer_norm_row(x.row(i), weight_, bias_, eps_, y.row(i));
  }
}

template class LayerNormPart<float>;
template class LayerNormPart<double>;

template <class T>
void layer_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const LayerNormParams& params, tensor::View<T> y) {
  if (params.estimator != Estimator::two_pass || params.variant != LayerNormVariant::standard)
    return layer_norm_variant_cpu(x, weight, bias, params, y);
  if (x.empty()) return;
  const bool streamed = simd::is_streamed(y);
  const LayerNormPart<T> part(weight, bias, x.cols, params.eps);
  simd::share(x.rows, x.size(), [&](Index first, Index end) { part.rows(x, y, first, end, streamed); });
}

template void layer_norm_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                             const LayerNormParams&, tensor::View<float>);
template void layer_norm_cpu(tensor::View<const double>, std::span<const double>, std::span<const double>,
                             const LayerNormParams&, tensor::View<double>);

}  // namespace orrery::norm
