#include "core/norm/scale_norm_vjp.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/norm/root_mean_square.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

template <class T>
T scale_norm_vjp(tensor::View<const T> x, T gain, tensor::View<const T> g, const ScaleNormParams& params,
                 tensor::View<T> dx) {
  std::vector<double> of_gain(static_cast<std::size_t>(x.rows));  // each row's share of dγ

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const ScaledValue squares = sum_of_squares(std::span<const T>(x.row(i)), params.eps);
      const double scale = squares.scale, norm = std::sqrt(squares.value), floor = params.eps * scale,
                   inverse = 1 / std::max(norm, floor);
      const auto x_hat = [&](Index j) { return static_cast<double>(x(i, j)) * scale * inverse; };
      double along = 0;
      for (Index j = 0; j < x.cols; ++j) along += static_cast<double>(g(i, j)) * x_hat(j);
      of_gain[static_cast<std::size_t>(i)] = along;
      const double radial = norm > floor ? along : 0;
      for (Index j = 0; j < x.cols; ++j)
        dx(i, j) = static_cast<T>(static_cast<double>(gain) * inverse *
                                  (static_cast<double>(g(i, j)) - x_hat(j) * radial) * scale);
    }
  });
  return static_cast<T>(std::accumulate(of_gain.begin(), of_gain.end(), 0.0));
}

template float scale_norm_vjp(tensor::View<const float>, float, tensor::View<const float>,
                              const ScaleNormParams&, tensor::View<float>);
template double scale_norm_vjp(tensor::View<const double>, double, tensor::View<const double>,
                               const ScaleNormParams&, tensor::View<double>);

}  // namespace orrery::norm
