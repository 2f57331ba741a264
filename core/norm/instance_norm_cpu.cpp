#include "core/norm/instance_norm.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

/// Where there are several samples, a thread does whole ones: inside them nothing is shared once more.
template <class T>
void instance_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                       const InstanceNormParams& params, tensor::View<T> y) {
  if (x.empty()) return;
  const Index positions = params.positions;
  const BatchNormParams of_sample{.eps = params.eps};
  simd::share(x.rows / positions, x.size(), [&](Index first, Index end) {
    for (Index b = first; b < end; ++b)
      batch_norm_cpu<T>(rows_of_sample(x, b, positions), weight, bias, of_sample,
                        rows_of_sample(y, b, positions));
  });
}

template void instance_norm_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                                const InstanceNormParams&, tensor::View<float>);
template void instance_norm_cpu(tensor::View<const double>, std::span<const double>, std::span<const double>,
                                const InstanceNormParams&, tensor::View<double>);

}  // namespace orrery::norm
