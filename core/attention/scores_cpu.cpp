#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/scores.h"
#include "core/tensor/error.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;

double scores_gpu_bound(Index d) {
  return (3 + std::sqrt(static_cast<double>(d))) * 0x1p-24;
}

double scores_scale(const ScoresParams& params, Index d) {
  if (params.mask.kind == Mask::Kind::sliding && params.mask.window < 1)
    throw InvalidArgument("sliding window: found " + std::to_string(params.mask.window) +
                          ", allowed: at least 1 (the token itself)");
  return params.scale.value_or(d == 0 ? 1 : 1 / std::sqrt(static_cast<double>(d)));
}

namespace {

/// Queries that are multiplied at once: enough to reuse every key, few enough to stay in cache.
constexpr Index block = 64;

/// A half-open range of keys.
struct Range {
  Index first, end;
};

/// The keys that the mask lets query `t` see.
Range allowed_keys(const Mask& mask, Index t, Index queries, Index keys) {
  if (mask.kind == Mask::Kind::none) return {0, keys};
  const Index position = t + keys - queries;
  const Index end = std::clamp(position + 1, Index{0}, keys);
  // Compared this way round, a huge window does not overflow.
  const bool cut = mask.kind == Mask::Kind::sliding && mask.window <= position;
  return {cut ? std::min(position + 1 - mask.window, end) : 0, end};
}

}  // namespace

template <class T>
void scores_cpu(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams& params,
                tensor::View<T> s) {
  const double scale = scores_scale(params, q.cols);
  const tensor::Matrix<double> keys = k.eigen().template cast<double>();

#pragma omp parallel for schedule(dynamic) if (q.rows * k.rows * q.cols > tensor::small_work)
  for (Index start = 0; start < q.rows; start += block) {
    const Index count = std::min(block, q.rows - start);
    // One range of keys that holds those of every query in the block: both its ends only ever grow.
    const Index first = allowed_keys(params.mask, start, q.rows, k.rows).first;
    const Index end = allowed_keys(params.mask, start + count - 1, q.rows, k.rows).end;
    const tensor::Matrix<double> queries = q.eigen().middleRows(start, count).template cast<double>();
    tensor::Matrix<double> dots(count, end - first);
    dots.noalias() = queries * keys.middleRows(first, end - first).transpose();

    for (Index i = 0; i < count; ++i) {
      const Range seen = allowed_keys(params.mask, start + i, q.rows, k.rows);
      T* row = s.row(start + i).data();
      std::fill(row, row + seen.first, T(-INFINITY));
      for (Index n = seen.first; n < seen.end; ++n) row[n] = static_cast<T>(scale * dots(i, n - first));
      std::fill(row + seen.end, row + k.rows, T(-INFINITY));
    }
  }
}

template void scores_cpu(tensor::View<const float>, tensor::View<const float>, const ScoresParams&,
                         tensor::View<float>);
template void scores_cpu(tensor::View<const double>, tensor::View<const double>, const ScoresParams&,
                         tensor::View<double>);

}  // namespace orrery::attention
