#include <cmath>

#include "core/norm/rms_norm.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

template <class T>
void rms_norm_cpu(tensor::View<const T> x, std::span<const T> weight, const RmsNormParams& params,
                  tensor::View<T> y) {
  if (params.partial != 1) return rms_norm_partial_cpu(x, weight, params, y);
  const double D = static_cast<double>(x.cols);

#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work)
  for (Index i = 0; i < x.rows; ++i) {
    const std::span<const T> from = x.row(i);
    const std::span<T> to = y.row(i);
    const double mean_square = tensor::sum(from, [](double v) { return v * v; }) / D;
    const double rrms = params.eps_place == EpsPlace::inside ? 1 / std::sqrt(mean_square + params.eps)
                                                             : 1 / (std::sqrt(mean_square) + params.eps);
    if (weight.empty()) {
      for (std::size_t j = 0; j < from.size(); ++j)
        to[j] = static_cast<T>(static_cast<double>(from[j]) * rrms);
    } else {
      for (std::size_t j = 0; j < from.size(); ++j) {
        const double gain = params.weight_offset + static_cast<double>(weight[j]);
        to[j] = static_cast<T>(gain * (static_cast<double>(from[j]) * rrms));
      }
    }
  }
}

template void rms_norm_cpu(tensor::View<const float>, std::span<const float>, const RmsNormParams&,
                           tensor::View<float>);
template void rms_norm_cpu(tensor::View<const double>, std::span<const double>, const RmsNormParams&,
                           tensor::View<double>);

}  // namespace orrery::norm
