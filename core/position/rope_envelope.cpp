#include "core/position/rope_envelope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/position/rope_decay.h"
#include "core/position/rope_waves.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// Every sum of from[i] … from[i + 1] − 1, a block at a time: `see` gets the stretch, the first distance of the block,
/// and the sums.
void walk(std::span<const Index> from, std::size_t pairs, const Pause& pause, const auto& add,
          const auto& see) {
  std::array<double, wave_block> sums;
  Index terms = 0;
  for (std::size_t i = 0; i + 1 < from.size(); ++i)
    for (Index start = from[i]; start < from[i + 1]; start += wave_block) {
      if (terms >= between_pauses && pause) pause(), terms = 0;
      terms += wave_block * static_cast<Index>(pairs);
      const std::span<double> here(sums.data(),
                                   static_cast<std::size_t>(std::min(wave_block, from[i + 1] - start)));
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

/// Adds |S_1| + … + |S_P| for r = start, start + 1, …
void add_partial_sums(std::span<const double> inv_freq, double start, std::span<double> sums) {
  std::array<double, wave_block> re{}, im{};
  for (const double theta : inv_freq) {
    Wave cosine(theta, start), sine(theta, start, {0, -1});
    for (std::size_t k = 0; k < sums.size(); ++k) {
      re[k] += cosine.now, im[k] += sine.now;
      cosine.step(), sine.step();
    }
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += std::sqrt(re[k] * re[k] + im[k] * im[k]);
  }
}

}  // namespace

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

Envelope partial_sum_envelope(std::span<const double> inv_freq, std::span<const Index> from,
                              const Pause& pause) {
  Envelope made = nothing_yet(from.empty() ? 0 : from.size() - 1);
  const double over = 1 / std::max(1.0, static_cast<double>(inv_freq.size()));
  walk(
      from, inv_freq.size(), pause,
      [&](double start, std::span<double> here) { add_partial_sums(inv_freq, start, here); },
      [&](std::size_t i, Index, std::span<const double> here) {
        for (const double sum : here)
          enclose(made, i, sum * over, 1 / static_cast<double>(from[i + 1] - from[i]));
      });
  return made;
}

}  // namespace orrery::position
