#include "core/position/rope_base.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <vector>

#include "core/position/rope_decay.h"
#include "core/position/rope_frequencies.h"

namespace orrery::position {

using tensor::Index;

namespace {

constexpr Index block = 256;
constexpr Index between_pauses = Index{1} << 20;
constexpr double doubtful = 1e-8;  // so near to 0 a sum of waves is worked out anew, term by term

/// cos(mθ) for m = m₀, m₀ + 1, …: cos((m + 1)θ) = 2 cos θ cos(mθ) − cos((m − 1)θ), two operations instead of a cosine.
/// Its error grows with the square of the steps, to 256² 2^-53 < 1e-11 here, and starts anew with every block.
struct Wave {
  double twice, before, now;
  Wave(double theta, double m0)
      : twice(2 * std::cos(theta)), before(std::cos((m0 - 1) * theta)), now(std::cos(m0 * theta)) {}
  /// Re h e^(i m θ): as large as h, and as far ahead.
  Wave(double theta, double m0, std::complex<double> h)
      : twice(2 * std::cos(theta)),
        before(std::real(h * std::polar(1.0, (m0 - 1) * theta))),
        now(std::real(h * std::polar(1.0, m0 * theta))) {}
  void step() {
    const double next = twice * now - before;
    before = now;
    now = next;
  }
};

/// Adds so many waves to `sums`, for m = m₀ on; `wave` gives the one of a pair at m₀. Four waves side by side stay in
/// registers: one alone would wait for itself.
void add_waves(std::size_t pairs, const auto& wave, std::span<double> sums) {
  std::size_t i = 0;
  for (; i + 4 <= pairs; i += 4) {
    Wave a = wave(i), b = wave(i + 1), c = wave(i + 2), d = wave(i + 3);
    for (double& sum : sums) {
      sum += (a.now + b.now) + (c.now + d.now);
      a.step(), b.step(), c.step(), d.step();
    }
  }
  for (; i < pairs; ++i) {
    Wave one = wave(i);
    for (double& sum : sums) sum += one.now, one.step();
  }
}
void add_waves(std::span<const double> inv_freq, double m0, std::span<double> sums) {
  add_waves(
      inv_freq.size(), [&](std::size_t i) { return Wave(inv_freq[i], m0); }, sums);
}

/// Every sum of from[i] … from[i + 1] − 1, a block at a time: `see` gets the stretch, the first distance of the block,
/// and the sums.
void walk(std::span<const Index> from, std::size_t pairs, const Pause& pause, const auto& add,
          const auto& see) {
  std::array<double, block> sums;
  Index terms = 0;
  for (std::size_t i = 0; i + 1 < from.size(); ++i)
    for (Index start = from[i]; start < from[i + 1]; start += block) {
      if (terms >= between_pauses && pause) pause(), terms = 0;
      terms += block * static_cast<Index>(pairs);
      const std::span<double> here(sums.data(),
                                   static_cast<std::size_t>(std::min(block, from[i + 1] - start)));
      std::ranges::fill(here, 0.0);
      add(static_cast<double>(start), here);
      see(i, start, here);
    }
}

Envelope nothing_yet(std::size_t stretches) {
  constexpr double none = std::numeric_limits<double>::infinity();
  return {std::vector<double>(stretches, none), std::vector<double>(stretches, 0),
          std::vector<double>(stretches, -none)};
}

void enclose(Envelope& envelope, std::size_t stretch, double value, double share) {
  envelope.lowest[stretch] = std::min(envelope.lowest[stretch], value);
  envelope.highest[stretch] = std::max(envelope.highest[stretch], value);
  envelope.mean[stretch] += value * share;
}

}  // namespace

Index first_negative_similarity(std::span<const double> inv_freq, Index from, Index to, const Pause& pause) {
  Index terms = 0;
  std::array<double, block> sums;
  for (Index start = from; start <= to; start += block) {
    if (terms >= between_pauses && pause) pause(), terms = 0;
    terms += block * std::ssize(inv_freq);
    const std::span<double> here(sums.data(), static_cast<std::size_t>(std::min(block, to - start + 1)));
    std::ranges::fill(here, 0.0);
    add_waves(inv_freq, static_cast<double>(start), here);
    for (std::size_t i = 0; i < here.size(); ++i) {
      const Index m = start + static_cast<Index>(i);
      if (here[i] < doubtful && similarity(inv_freq, static_cast<double>(m)) < 0) return m;
    }
  }
  return 0;
}

Envelope similarity_envelope(std::span<const double> inv_freq, std::span<const Index> from,
                             const Pause& pause) {
  Envelope made = nothing_yet(from.empty() ? 0 : from.size() - 1);
  walk(
      from, inv_freq.size(), pause,
      [&](double start, std::span<double> here) { add_waves(inv_freq, start, here); },
      [&](std::size_t i, Index start, std::span<const double> here) {
        for (std::size_t k = 0; k < here.size(); ++k) {
          const auto m = static_cast<double>(start + static_cast<Index>(k));
          enclose(made, i, std::abs(here[k]) < doubtful ? similarity(inv_freq, m) : here[k],
                  1 / static_cast<double>(from[i + 1] - from[i]));
        }
      });
  return made;
}

ScoreEnvelope score_envelope(std::span<const std::complex<double>> h, std::span<const double> inv_freq,
                             double scale, std::span<const Index> from, const Pause& pause) {
  const std::size_t stretches = from.empty() ? 0 : from.size() - 1,
                    pairs = std::min(h.size(), inv_freq.size());
  ScoreEnvelope made{nothing_yet(stretches), std::vector<double>(stretches, 0)};
  double bound = 0;
  for (std::size_t i = 0; i < pairs; ++i) bound += std::abs(scale) * std::abs(h[i]);
  walk(
      from, pairs, pause,
      [&](double start, std::span<double> here) {
        add_waves(
            pairs, [&](std::size_t i) { return Wave(inv_freq[i], start, scale * h[i]); }, here);
      },
      [&](std::size_t i, Index, std::span<const double> here) {
        for (const double score : here) {
          enclose(made, i, score, 1 / static_cast<double>(from[i + 1] - from[i]));
          made.weight[i] += std::exp(score - bound);
        }
      });
  return made;
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
