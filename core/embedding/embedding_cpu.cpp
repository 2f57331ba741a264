#include <algorithm>

#include "core/embedding/embedding.h"
#include "core/embedding/kernels.h"
#include "core/simd/share.h"

namespace orrery::embedding {

using tensor::Index;

namespace {

/// Past the caches only what they could not hold: whoever reads the result next finds it there, which is worth more than what
/// the writing costs (lookup and reading take 0.8 times as long together). Of the table hardly a row comes again.
bool goes_past_caches(tensor::View<float> y) {
  return simd::is_large_alone(y) && simd::is_streamed(y);
}

}  // namespace

template <>
void embedding_cpu(std::span<const Index> ids, tensor::View<const double> table, Scale scale,
                   tensor::View<double> y) {
  const double s = scale_factor(scale, table.cols);
  simd::share(y.rows, y.size(), [&](Index first, Index end) {
    for (Index n = first; n < end; ++n)
      std::ranges::transform(table.row(ids[static_cast<std::size_t>(n)]), y.row(n).begin(),
                             [s](double v) { return s * v; });
  });
}

template <>
void embedding_cpu(std::span<const Index> ids, tensor::View<const float> table, Scale scale,
                   tensor::View<float> y) {
  const double s = scale_factor(scale, table.cols);
  const bool streamed = goes_past_caches(y);
  simd::share(y.rows, y.size(), [&](Index first, Index end) {
    const TableRows rows{.ids = ids.data() + first,
                         .count = end - first,
                         .table = table.data,
                         .table_stride = table.stride,
                         .to = y.row(first).data(),
                         .to_stride = y.stride,
                         .width = static_cast<std::size_t>(y.cols),
                         .streamed = streamed};
    s == 1 ? copy_rows(rows) : scale_rows(rows, s);
  });
}

}  // namespace orrery::embedding
