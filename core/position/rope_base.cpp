#include "core/position/rope_base.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/position/rope_decay.h"
#include "core/position/rope_frequencies.h"

namespace orrery::position {

using tensor::Index;

Index first_negative_similarity(std::span<const double> inv_freq, Index from, Index to, const Pause& pause) {
  // cos((m + 1)θ) = 2 cos θ cos(mθ) − cos((m − 1)θ): two operations per pair and step instead of a cosine. Its error grows
  // with the square of the steps, to 256² 2^-53 < 1e-11 here, and starts anew with every block.
  constexpr Index block = 256;
  constexpr double doubtful = 1e-8;
  constexpr Index between_pauses = Index{1} << 20;
  Index terms = 0;
  const std::size_t pairs = inv_freq.size();
  std::vector<double> twice(pairs), before(pairs), now(pairs);
  for (std::size_t i = 0; i < pairs; ++i) twice[i] = 2 * std::cos(inv_freq[i]);
  for (Index start = from; start <= to; start += block) {
    if (terms >= between_pauses && pause) pause(), terms = 0;
    terms += block * std::ssize(inv_freq);
    const auto m0 = static_cast<double>(start);
    for (std::size_t i = 0; i < pairs; ++i) {
      before[i] = std::cos((m0 - 1) * inv_freq[i]);
      now[i] = std::cos(m0 * inv_freq[i]);
    }
    const Index end = std::min(to, start + block - 1);
    for (Index m = start; m <= end; ++m) {
      double sums[4] = {};  // four sums side by side: one alone would wait for itself
      std::size_t i = 0;
      for (; i + 4 <= pairs; i += 4) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double next = twice[i + k] * now[i + k] - before[i + k];
          sums[k] += now[i + k];
          before[i + k] = now[i + k];
          now[i + k] = next;
        }
      }
      for (; i < pairs; ++i) {
        const double next = twice[i] * now[i] - before[i];
        sums[0] += now[i];
        before[i] = now[i];
        now[i] = next;
      }
      const double sum = sums[0] + sums[1] + sums[2] + sums[3];
      if (sum < doubtful && similarity(inv_freq, static_cast<double>(m)) < 0) return m;
    }
  }
  return 0;
}

namespace {

std::vector<double> plain_frequencies(Index rotary_dim, double base) {
  RopeRule rule;
  rule.rotary_dim = rotary_dim;
  rule.base = base;
  return rope_frequencies(rule).inv_freq;
}

/// Whether bases reach the context. One that fails does so near where the base before it failed: looking there first
/// saves nearly all of the work.
class Reaches {
 public:
  Reaches(Index rotary_dim, Index context, const Pause& pause)
      : rotary_dim_(rotary_dim), context_(context), pause_(pause) {}
  bool operator()(double base) {
    const std::vector<double> theta = plain_frequencies(rotary_dim_, base);
    if (failed_at_ > 0) {
      const Index slack = 4 + failed_at_ / 256;
      const Index near = first_negative_similarity(theta, std::max<Index>(1, failed_at_ - slack),
                                                   std::min(context_, failed_at_ + slack), pause_);
      if (near > 0) return failed_at_ = near, false;
    }
    const Index m = first_negative_similarity(theta, 1, context_, pause_);
    if (m > 0) failed_at_ = m;
    return m == 0;
  }

 private:
  Index rotary_dim_, context_;
  const Pause& pause_;
  Index failed_at_ = 0;
};

}  // namespace

Index context_of_base(Index rotary_dim, double base, Index limit, const Pause& pause) {
  const Index m = first_negative_similarity(plain_frequencies(rotary_dim, base), 1, limit, pause);
  return m == 0 ? limit : m - 1;
}

double least_base(Index rotary_dim, Index context, const BaseSearch& search) {
  Reaches reaches(rotary_dim, context, search.pause);
  double before = 0;
  for (double base = search.from; base <= search.to; before = base, base *= search.ratio) {
    if (search.pause) search.pause();
    if (!reaches(base)) continue;
    if (before == 0) return base;
    double fails = before, holds = base;
    while (holds / fails > 1 + 1e-6) {
      const double middle = std::sqrt(fails * holds);
      (reaches(middle) ? holds : fails) = middle;
    }
    return holds;
  }
  return 0;
}

}  // namespace orrery::position
