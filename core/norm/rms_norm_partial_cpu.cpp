#include "core/norm/rms_norm.h"
#include "core/norm/root_mean_square.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

template <class T>
void rms_norm_partial_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                          const RmsNormParams& params, tensor::View<T> y) {
  if (x.empty()) return;
  const auto k = static_cast<std::size_t>(counted_columns(x.cols, params));

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const std::span<const T> from = x.row(i);
      const std::span<T> to = y.row(i);
      const auto [rrms, scale] = inverse_rms(from.first(k), params);
      for (std::size_t j = 0; j < from.size(); ++j) {
        const double gain = weight.empty() ? 1 : params.weight_offset + static_cast<double>(weight[j]);
        const double scaled = gain * (static_cast<double>(from[j]) * scale * rrms);
        to[j] = static_cast<T>(bias.empty() ? scaled : scaled + static_cast<double>(bias[j]));
      }
    }
  });
}

template void rms_norm_partial_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                                   const RmsNormParams&, tensor::View<float>);
template void rms_norm_partial_cpu(tensor::View<const double>, std::span<const double>,
                                   std::span<const double>, const RmsNormParams&, tensor::View<double>);

}  // namespace orrery::norm
