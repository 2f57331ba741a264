// What sums of rotary waves do over whole distances, stretch by stretch: the lowest, the mean and the highest of each.
// What oscillates faster than anybody looks is not sampled but enclosed.
//
//   B(r) = Σ_i cos(r θ_i) · score(r) = Re Σ_i h_i e^(i r θ_i) · |S|(r) = (1/P) Σ_(j=1…P) |Σ_(i<j) e^(i r θ_i)|
//
// Stretches  of from[i] … from[i + 1] − 1, for every i but the last: `from` ascends, by whole steps, from at least 0.
// Formats    double. A wave is stepped on from distance to distance and formed anew every 256: 256² 2^-53 < 1e-11 of its
//            amplitude is lost in between, and 2^-53 of its angle.
// Edges      of fewer than two numbers there is no stretch; no pairs: everything is 0.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::position {

/// Called every 2²⁰ terms of a long sum, some milliseconds apart: may throw, to end it.
using Pause = std::function<void()>;

struct Envelope {
  std::vector<double> lowest, mean, highest;
};

/// Of B. A value within 1e-8 of 0 is worked out anew, term by term: its sign is right.
Envelope similarity_envelope(std::span<const double> inv_freq, std::span<const tensor::Index> from,
                             const Pause& = {});

/// Of scores, each of them times `scale`; and what a softmax makes of them.
struct ScoreEnvelope : Envelope {
  std::vector<double>
      weight;  ///< Σ exp(score − bound) over the stretch, bound = |scale| Σ_i |h_i|: none is above 1
};
ScoreEnvelope score_envelope(std::span<const std::complex<double>> h, std::span<const double> inv_freq,
                             double scale, std::span<const tensor::Index> from, const Pause& = {});

/// Of the mean of the partial sums, RoFormer's bound: rope_decay.h.
Envelope partial_sum_envelope(std::span<const double> inv_freq, std::span<const tensor::Index> from,
                              const Pause& = {});

}  // namespace orrery::position
