#include <cmath>
#include <type_traits>

#include "core/norm/dyt.h"
#include "core/tensor/reduce.h"
#include "core/tensor/tanh.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// y = (w or 1)·tanh(αx) + (b or 0). Which of the two is given is settled outside the loop.
template <class T, class Weight, class Bias>
void squash_row(std::span<const T> x, double alpha, Weight weight, Bias bias, std::span<T> y) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double v = alpha * static_cast<double>(x[j]);
    const double t = std::is_same_v<T, float> ? tensor::tanh_for_float(v) : std::tanh(v);
    y[j] = static_cast<T>(weight(j) * t + bias(j));
  }
}

}  // namespace

template <class T>
void dyt_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
             const DytParams& params, tensor::View<T> y) {
  const auto given_weight = [weight](std::size_t j) { return static_cast<double>(weight[j]); };
  const auto given_bias = [bias](std::size_t j) { return static_cast<double>(bias[j]); };
  const auto one = [](std::size_t) { return 1.0; };
  const auto zero = [](std::size_t) { return 0.0; };

#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work)
  for (Index i = 0; i < x.rows; ++i) {
    const std::span<const T> row = x.row(i);
    if (weight.empty() && bias.empty()) {
      squash_row(row, params.alpha, one, zero, y.row(i));
    } else if (bias.empty()) {
      squash_row(row, params.alpha, given_weight, zero, y.row(i));
    } else if (weight.empty()) {
      squash_row(row, params.alpha, one, given_bias, y.row(i));
    } else {
      squash_row(row, params.alpha, given_weight, given_bias, y.row(i));
    }
  }
}

template void dyt_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                      const DytParams&, tensor::View<float>);
template void dyt_cpu(tensor::View<const double>, std::span<const double>, std::span<const double>,
                      const DytParams&, tensor::View<double>);

}  // namespace orrery::norm
