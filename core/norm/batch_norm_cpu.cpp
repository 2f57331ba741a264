#include <algorithm>
#include <array>
#include <cmath>

#include "core/norm/batch_norm.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// So many columns are taken down the rows side by side: memory is read along the rows.
constexpr Index block = 64;

template <class T>
void normalise_block(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias, double eps,
                     Index first, Index count, tensor::View<T> y) {
  const double N = static_cast<double>(x.rows);
  const auto value = [&](Index i, Index k) { return static_cast<double>(x(i, first + k)); };
  std::array<double, block> mean{}, scale{}, shift{};

  for (Index i = 0; i < x.rows; ++i)
    for (Index k = 0; k < count; ++k) mean[static_cast<std::size_t>(k)] += value(i, k);
  for (double& m : mean) m /= N;

  for (Index i = 0; i < x.rows; ++i) {
    for (Index k = 0; k < count; ++k) {
      const double centred = value(i, k) - mean[static_cast<std::size_t>(k)];
      scale[static_cast<std::size_t>(k)] += centred * centred;
    }
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    const std::size_t j = static_cast<std::size_t>(first) + k;
    scale[k] = 1 / std::sqrt(scale[k] / N + eps);
    if (!weight.empty()) scale[k] *= static_cast<double>(weight[j]);
    if (!bias.empty()) shift[k] = static_cast<double>(bias[j]);
  }

  for (Index i = 0; i < x.rows; ++i) {
    for (Index k = 0; k < count; ++k) {
      const auto column = static_cast<std::size_t>(k);
      y(i, first + k) = static_cast<T>((value(i, k) - mean[column]) * scale[column] + shift[column]);
    }
  }
}

}  // namespace

template <class T>
void batch_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const BatchNormParams& params, tensor::View<T> y) {
#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work)
  for (Index first = 0; first < x.cols; first += block)
    normalise_block(x, weight, bias, params.eps, first, std::min(block, x.cols - first), y);
}

template void batch_norm_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                             const BatchNormParams&, tensor::View<float>);
template void batch_norm_cpu(tensor::View<const double>, std::span<const double>, std::span<const double>,
                             const BatchNormParams&, tensor::View<double>);

}  // namespace orrery::norm
