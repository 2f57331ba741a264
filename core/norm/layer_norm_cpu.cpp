#include <cmath>

#include "core/norm/kernels.h"
#include "core/norm/layer_norm.h"
#include "core/simd/share.h"
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

/// One row in double: the twin for double, and for the rows whose squares leave float.
template <class T>
void layer_norm_row(std::span<const T> x, std::span<const T> weight, std::span<const T> bias, double eps,
                    std::span<T> y) {
  const double D = static_cast<double>(x.size());
  const double mean = tensor::sum(x, [](double v) { return v; }) / D;
  const double variance = tensor::sum(x, [mean](double v) { return (v - mean) * (v - mean); }) / D;
  const double rstd = 1 / std::sqrt(variance + eps);

  const auto given_weight = [weight](std::size_t j) { return static_cast<double>(weight[j]); };
  const auto given_bias = [bias](std::size_t j) { return static_cast<double>(bias[j]); };
  const auto one = [](std::size_t) { return 1.0; };
  const auto zero = [](std::size_t) { return 0.0; };
  if (weight.empty() && bias.empty()) {
    scale_row(x, mean, rstd, one, zero, y);
  } else if (bias.empty()) {
    scale_row(x, mean, rstd, given_weight, zero, y);
  } else if (weight.empty()) {
    scale_row(x, mean, rstd, one, given_bias, y);
  } else {
    scale_row(x, mean, rstd, given_weight, given_bias, y);
  }
}

/// Where a row has only a few columns, w·x̂ + b may cancel in all of them: in double, no digit of the sum is lost.
constexpr Index narrow = 16;

/// The weights as the kernel takes them, both or neither: what is missing beside the other is 1 or −0, which change no x.
class Weights {
 public:
  Weights(std::span<const float> weight, std::span<const float> bias, Index cols) {
    if (weight.empty() && bias.empty()) return;
    weight_ = or_all(1.0f, weight, cols);
    bias_ = or_all(-0.0f, bias, cols);
  }
  const float* weight() const { return weight_; }
  const float* bias() const { return bias_; }

 private:
  const float* or_all(float value, std::span<const float> given, Index cols) {
    if (!given.empty()) return given.data();
    missing_.assign(static_cast<std::size_t>(cols), value);
    return missing_.data();
  }
  std::vector<float> missing_;
  const float *weight_ = nullptr, *bias_ = nullptr;
};

}  // namespace

template <>
void layer_norm_cpu(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const LayerNormParams& params, tensor::View<double> y) {
  if (params.estimator != Estimator::two_pass || params.variant != LayerNormVariant::standard)
    return layer_norm_variant_cpu(x, weight, bias, params, y);
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) layer_norm_row(x.row(i), weight, bias, params.eps, y.row(i));
  });
}

template <>
void layer_norm_cpu(tensor::View<const float> x, std::span<const float> weight, std::span<const float> bias,
                    const LayerNormParams& params, tensor::View<float> y) {
  if (params.estimator != Estimator::two_pass || params.variant != LayerNormVariant::standard)
    return layer_norm_variant_cpu(x, weight, bias, params, y);
  if (x.empty()) return;
  const bool streamed = simd::is_streamed(y);
  const Weights weights(weight, bias, x.cols);
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      if (x.cols >= narrow)
        i +=
            layer_norm_rows(float_rows(x, y, i, end, streamed), weights.weight(), weights.bias(), params.eps);
      if (i < end) layer_norm_row(x.row(i), weight, bias, params.eps, y.row(i));
    }
  });
}

}  // namespace orrery::norm
