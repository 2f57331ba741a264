#include "core/position/rope_base.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/position/rope_decay.h"
#include "core/position/rope_frequencies.h"
#include "core/position/rope_waves.h"

namespace orrery::position {

using tensor::Index;

Index first_negative_similarity(std::span<const double> inv_freq, Index from, Index to, const Pause& pause) {
  Index terms = 0;
  const Waves waves(inv_freq);
  std::array<double, wave_block> sums;
  for (Index start = from; start <= to; start += wave_block) {
    if (terms >= between_pauses && pause) pause(), terms = 0;
    terms += wave_block * std::ssize(inv_freq);
    const Index count = std::min(wave_block, to - start + 1);
    waves.at(static_cast<double>(start), count, sums);
    for (Index i = 0; i < count; ++i)
      if (sums[static_cast<std::size_t>(i)] < doubtful &&
          similarity(inv_freq, static_cast<double>(start + i)) < 0)
        return start + i;
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
