#include <cmath>

#include "core/norm/dyt.h"
#include "core/norm/kernels.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

double weight_or_one(std::span<const double> weight, std::size_t j) {
  return weight.empty() ? 1 : weight[j];
}

double bias_or_zero(std::span<const double> bias, std::size_t j) {
  return bias.empty() ? 0 : bias[j];
}

const float* start_of(std::span<const float> v) {
  return v.empty() ? nullptr : v.data();
}

}  // namespace

template <>
void dyt_cpu(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
             const DytParams& params, tensor::View<double> y) {
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      for (std::size_t j = 0; j < x.row(i).size(); ++j)
        y.row(i)[j] =
            weight_or_one(weight, j) * std::tanh(params.alpha * x.row(i)[j]) + bias_or_zero(bias, j);
  });
}

template <>
void dyt_cpu(tensor::View<const float> x, std::span<const float> weight, std::span<const float> bias,
             const DytParams& params, tensor::View<float> y) {
  const bool streamed = simd::is_streamed(y);
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    dyt_rows(float_rows(x, y, first, end, streamed), start_of(weight), start_of(bias),
             static_cast<float>(params.alpha));
  });
}

}  // namespace orrery::norm
