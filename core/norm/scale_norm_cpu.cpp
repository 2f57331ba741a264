#include <algorithm>
#include <cmath>

#include "core/norm/scale_norm.h"
#include "core/tensor/reduce.h"

namespace orrery::norm {

using tensor::Index;

template <class T>
void scale_norm_cpu(tensor::View<const T> x, T gain, const ScaleNormParams& params, tensor::View<T> y) {
#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work)
  for (Index i = 0; i < x.rows; ++i) {
    const std::span<const T> from = x.row(i);
    const std::span<T> to = y.row(i);
    const double norm = std::sqrt(tensor::sum(from, [](double v) { return v * v; }));
    const double scale = 1 / std::max(norm, params.eps);  // in this order NaN stays NaN
    for (std::size_t j = 0; j < from.size(); ++j)
      to[j] = static_cast<T>(static_cast<double>(gain) * (static_cast<double>(from[j]) * scale));
  }
}

template void scale_norm_cpu(tensor::View<const float>, float, const ScaleNormParams&, tensor::View<float>);
template void scale_norm_cpu(tensor::View<const double>, double, const ScaleNormParams&,
                             tensor::View<double>);

}  // namespace orrery::norm
