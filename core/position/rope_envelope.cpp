#include "core/position/rope_envelope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "core/position/rope_decay.h"
#include "core/position/rope_waves.h"

namespace orrery::position {

using tensor::Index;

namespace {

using Block = std::array<double, wave_block>;
constexpr Index shortest = 64;  // to form waves costs as much as so many distances

/// Every sum of from[i] … from[i + 1] − 1, a block at a time: `sum` gets its first distance, how many there are, and where
/// they go; `see` the stretch, the first distance, and the sums.
void walk(std::span<const Index> from, std::size_t pairs, const Pause& pause, const auto& sum,
          const auto& see) {
  Block sums;
  Index terms = 0;
  for (std::size_t i = 0; i + 1 < from.size(); ++i)
    for (Index start = from[i]; start < from[i + 1]; start += wave_block) {
      if (terms >= between_pauses && pause) pause(), terms = 0;
      const Index count = std::min(wave_block, from[i + 1] - start);
      terms += (count + shortest) * static_cast<Index>(pairs);
      sum(static_cast<double>(start), count, sums);
      see(i, start, std::span<const double>(sums).first(static_cast<std::size_t>(count)));
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

/// |S_1| + … + |S_P| for r = start, start + 1, …, of the waves cos rθ and sin rθ, one pair each.
void partial_sums(std::span<const Waves> cosines, std::span<const Waves> sines, double start, Index count,
                  Block& sums) {
  Block re{}, im{}, wave;
  const auto many = static_cast<std::size_t>(count);
  std::fill_n(sums.begin(), many, 0.0);
  for (std::size_t i = 0; i < cosines.size(); ++i) {
    cosines[i].at(start, count, wave);
    for (std::size_t k = 0; k < many; ++k) re[k] += wave[k];
    sines[i].at(start, count, wave);
    for (std::size_t k = 0; k < many; ++k) im[k] += wave[k];
    for (std::size_t k = 0; k < many; ++k) sums[k] += std::sqrt(re[k] * re[k] + im[k] * im[k]);
  }
}

}  // namespace

Envelope similarity_envelope(std::span<const double> inv_freq, std::span<const Index> from,
                             const Pause& pause) {
  Envelope made = nothing_yet(from.empty() ? 0 : from.size() - 1);
  const Waves waves(inv_freq);
  walk(
      from, waves.pairs(), pause,
      [&](double start, Index count, Block& sums) { waves.at(start, count, sums); },
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
  const Waves waves(inv_freq, h, scale);
  walk(
      from, pairs, pause, [&](double start, Index count, Block& sums) { waves.at(start, count, sums); },
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
  constexpr std::complex<double> ahead{0, -1};  // a cosine with that phase is a sine
  std::vector<Waves> cosines, sines;
  for (const double& theta : inv_freq) {
    cosines.emplace_back(std::span(&theta, 1));
    sines.emplace_back(std::span(&theta, 1), std::span(&ahead, 1), 1);
  }
  walk(
      from, inv_freq.size(), pause,
      [&](double start, Index count, Block& sums) { partial_sums(cosines, sines, start, count, sums); },
      [&](std::size_t i, Index, std::span<const double> here) {
        for (const double sum : here)
          enclose(made, i, sum * over, 1 / static_cast<double>(from[i + 1] - from[i]));
      });
  return made;
}

}  // namespace orrery::position
