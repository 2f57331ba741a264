#include <algorithm>
#include <cmath>

#include "core/norm/kernels.h"
#include "core/norm/root_mean_square.h"
#include "core/norm/scale_norm.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// One row in double: the twin for double, and for the rows whose squares leave float.
template <class T>
void scale_norm_row(std::span<const T> x, T gain, const ScaleNormParams& params, std::span<T> y) {
  const auto [square, scale] = mean_square(x, params.eps);
  const double norm = std::sqrt(square * static_cast<double>(x.size()));
  const double inverse = 1 / std::max(norm, params.eps * scale);  // in this order NaN stays NaN
  for (std::size_t j = 0; j < x.size(); ++j)
    y[j] = static_cast<T>(static_cast<double>(gain) * (static_cast<double>(x[j]) * scale * inverse));
}

}  // namespace

template <>
void scale_norm_cpu(tensor::View<const double> x, double gain, const ScaleNormParams& params,
                    tensor::View<double> y) {
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) scale_norm_row(x.row(i), gain, params, y.row(i));
  });
}

template <>
void scale_norm_cpu(tensor::View<const float> x, float gain, const ScaleNormParams& params,
                    tensor::View<float> y) {
  if (x.empty()) return;
  const bool streamed = simd::is_streamed(y);
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      i += scale_norm_rows(float_rows(x, y, i, end, streamed), static_cast<double>(gain), params.eps);
      if (i < end) scale_norm_row(x.row(i), gain, params, y.row(i));
    }
  });
}

}  // namespace orrery::norm
