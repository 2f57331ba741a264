#include "core/transformer/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"
#include "core/simd/share.h"

namespace orrery::transformer {

template <class T>
Loss cross_entropy(View<const T> logits, std::span<const Index> targets, View<T> probabilities) {
  attention::softmax_cpu<T>(logits, {}, probabilities);
  Loss loss;
  loss.by_token.assign(targets.size(), 0);
  simd::share(logits.rows, logits.size(), [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      const Index target = targets[static_cast<std::size_t>(n)];
      if (target == no_target) continue;
      const auto row = logits.row(n);
      const auto most = static_cast<Index>(std::ranges::max_element(row) - row.begin());
      loss.by_token[static_cast<std::size_t>(n)] = static_cast<double>(logits(n, most)) -
                                                   std::log(static_cast<double>(probabilities(n, most))) -
                                                   static_cast<double>(logits(n, target));
    }
  });
  double sum = 0;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    if (targets[n] == no_target) continue;
    sum += loss.by_token[n];
    ++loss.counted;
  }
  if (loss.counted > 0) loss.mean = sum / static_cast<double>(loss.counted);
  return loss;
}

template <class T>
void cross_entropy_vjp(View<const T> probabilities, std::span<const Index> targets, Index counted,
                       View<T> dlogits) {
  const T share = counted > 0 ? static_cast<T>(1 / static_cast<double>(counted)) : T(0);
  simd::share(dlogits.rows, dlogits.size(), [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      const Index target = targets[static_cast<std::size_t>(n)];
      const auto row = dlogits.row(n);
      if (target == no_target) {
        std::ranges::fill(row, T(0));
        continue;
      }
      std::ranges::transform(probabilities.row(n), row.begin(), [share](T p) { return share * p; });
      row[static_cast<std::size_t>(target)] -= share;
    }
  });
}

template Loss cross_entropy(View<const float>, std::span<const Index>, View<float>);
template Loss cross_entropy(View<const double>, std::span<const Index>, View<double>);
template void cross_entropy_vjp(View<const float>, std::span<const Index>, Index, View<float>);
template void cross_entropy_vjp(View<const double>, std::span<const Index>, Index, View<double>);

}  // namespace orrery::transformer
