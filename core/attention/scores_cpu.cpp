#include <algorithm>
#include <cmath>

#include "core/attention/key_panels.h"
#include "core/attention/plain_scores.h"
#include "core/attention/scores_block.h"
#include "core/attention/scores_kernels.h"
#include "core/simd/share.h"

namespace orrery::attention {

using tensor::Index;
using tensor::View;

template <class T>
ScoresByBlock<T>::ScoresByBlock(View<const T> q, View<const T> k, const ScoresParams& params,
                                View<const T> bias)
    : q_(q),
      params_(params),
      bias_(bias),
      keys_(k.rows),
      queries_(dots_tile().queries),
      panel_(dots_tile().keys),
      panels_(key_panels(k)) {}

template <class T>
auto ScoresByBlock<T>::room() const -> Room {
  const Index row = simd::parts(keys_, panel_) * panel_;
  return {std::vector<double>(static_cast<std::size_t>(queries_ * q_.cols)),
          std::vector<double>(static_cast<std::size_t>(queries_ * row))};
}

template <class T>
template <class Out>
void ScoresByBlock<T>::operator()(Index start, View<Out> s, Room& room) const {
  const Index d = q_.cols, stride = std::ssize(room.dots) / queries_;
  for (Index i = 0; i < s.rows; ++i)
    std::copy(q_.row(start + i).begin(), q_.row(start + i).end(), room.queries.begin() + i * d);
  // One range of keys that holds those of every query in the block: both its ends only ever grow.
  const Index first = params_.mask.range(start, q_.rows, keys_).first / panel_ * panel_;
  const Index end = params_.mask.range(start + s.rows - 1, q_.rows, keys_).end;
  dots({room.queries.data(), s.rows, d, panels_.get(), room.dots.data(), stride}, first, end);
  for (Index i = 0; i < s.rows; ++i) finish(start + i, room.dots.data() + i * stride, s.row(i));
}

/// From products to scores.
template <class T>
template <class Out>
void ScoresByBlock<T>::finish(Index t, double* dots, std::span<Out> s) const {
  const KeyRange seen = params_.mask.range(t, q_.rows, keys_);
  const double factor = score_factor(params_, t, q_.rows, keys_, q_.cols);
  for (Index n = seen.first; n < seen.end; ++n) dots[n] *= factor;
  if (params_.cap)
    for (Index n = seen.first; n < seen.end; ++n) dots[n] = params_.capped(dots[n]);
  if (!bias_.empty())
    for (Index n = seen.first; n < seen.end; ++n) dots[n] += static_cast<double>(bias_(t, n));
  if (!params_.padding.empty())
    for (Index n = seen.first; n < seen.end; ++n)
      if (params_.padding[static_cast<std::size_t>(n)] == 0) dots[n] = -INFINITY;
  std::fill(s.begin(), s.begin() + seen.first, static_cast<Out>(-INFINITY));
  std::transform(dots + seen.first, dots + seen.end, s.begin() + seen.first,
                 [](double x) { return static_cast<Out>(x); });
  std::fill(s.begin() + seen.end, s.end(), static_cast<Out>(-INFINITY));
}

template class ScoresByBlock<float>;
template class ScoresByBlock<double>;
template void ScoresByBlock<float>::operator()(Index, View<float>, Room&) const;
template void ScoresByBlock<float>::operator()(Index, View<double>, Room&) const;
template void ScoresByBlock<double>::operator()(Index, View<double>, Room&) const;

template <class T>
void scores_cpu(View<const T> q, View<const T> k, const ScoresParams& params, View<T> s, View<const T> bias) {
  check_scores(params, k.rows);
  if (s.empty()) return;
  if constexpr (std::is_same_v<T, float>)
    if (!params.cap && bias.empty() && params.padding.empty()) return plain_scores_cpu(q, k, params, s);
  const ScoresByBlock<T> scores(q, k, params, bias);
  const Index block = scores.queries(), blocks = (q.rows + block - 1) / block;

  simd::share_in_turns({.count = blocks, .size = s.size() * q.cols / 2, .turn = 1}, [&] {
    return [&, room = scores.room()](Index first, Index end) mutable {
      for (Index number = first; number < end; ++number) {
        // From the end: under a causal mask the last queries see most, and what is left at the end should be small.
        const Index start = (blocks - 1 - number) * block;
        scores(start, View<T>(s.row(start).data(), std::min(block, q.rows - start), s.cols, s.stride), room);
      }
    };
  });
}

template void scores_cpu(View<const float>, View<const float>, const ScoresParams&, View<float>,
                         View<const float>);
template void scores_cpu(View<const double>, View<const double>, const ScoresParams&, View<double>,
                         View<const double>);

}  // namespace orrery::attention
