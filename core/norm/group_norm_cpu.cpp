#include <algorithm>
#include <vector>

#include "core/norm/group_norm.h"
#include "core/norm/layer_norm_part.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

/// So many rows are done for one group before the next: the weights stay at hand, and so does what is left of a line that
/// two groups share.
constexpr Index rows_in_turn = 16;

template <class T>
void group_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const GroupNormParams& params, tensor::View<T> y) {
  if (x.empty()) return;
  const Index G = params.groups;
  const bool streamed = simd::is_streamed(y);
  std::vector<LayerNormPart<T>> parts;
  for (Index k = 0; k < G; ++k)
    parts.emplace_back(columns_of_group(weight, k, G), columns_of_group(bias, k, G), x.cols / G, params.eps);

  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; i += rows_in_turn)
      for (Index k = 0; k < G; ++k)
        parts[static_cast<std::size_t>(k)].rows(columns_of_group(x, k, G), columns_of_group(y, k, G), i,
                                                std::min(i + rows_in_turn, end), streamed);
  });
}

template void group_norm_cpu(tensor::View<const float>, std::span<const float>, std::span<const float>,
                             const GroupNormParams&, tensor::View<float>);
template void group_norm_cpu(tensor::View<const double>, std::span<const double>, std::span<const double>,
                             const GroupNormParams&, tensor::View<double>);

}  // namespace orrery::norm
