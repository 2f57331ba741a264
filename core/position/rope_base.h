// The least base for a context length: a key that is like the query should score above one that is not.
//
//   E[qᵀ R_m k*] − E[qᵀ R_m k] = 2σ² B(m), B(m) = Σ_i cos(m θ_i), k* = q + noise
//
// so B must not fall below 0 within the context: base b reaches L when B(m) ≥ 0 for every whole m ≤ L. The
// condition is not monotone in b: a larger base may fail where a smaller one holds. A bisection over bases is
// therefore wrong; here bases are tried one by one, upwards, by a constant ratio.
//
// Formats  double; whole distances only, as tokens have. A value within 1e-8 of 0 is worked out anew, term by term.
// Source   Xu et al., "Base of RoPE bounds context length", arXiv 2405.14591, theorem 1, equation 10 and table 2.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::position {

/// Called every 2²⁰ terms of a long sum, some milliseconds apart: may throw, to end it.
using Pause = std::function<void()>;

/// The first whole m of from … to with B(m) < 0; 0 when there is none. from ≥ 1.
tensor::Index first_negative_similarity(std::span<const double> inv_freq, tensor::Index from,
                                        tensor::Index to, const Pause& = {});

/// B over whole distances, stretch by stretch: the lowest, the mean and the highest of each. What oscillates faster than
/// anybody looks is not sampled but enclosed.
struct Envelope {
  std::vector<double> lowest, mean, highest;
};
/// Of from[i] … from[i + 1] − 1, for every i but the last: `from` ascends, by whole steps, from at least 0.
Envelope similarity_envelope(std::span<const double> inv_freq, std::span<const tensor::Index> from,
                             const Pause& = {});

/// The same of scores, Re Σ_i h_i e^(i r θ_i), each of them times `scale`; and what a softmax makes of them.
struct ScoreEnvelope : Envelope {
  std::vector<double>
      weight;  ///< Σ exp(score − bound) over the stretch, bound = |scale| Σ_i |h_i|: none is above 1
};
ScoreEnvelope score_envelope(std::span<const std::complex<double>> h, std::span<const double> inv_freq,
                             double scale, std::span<const tensor::Index> from, const Pause& = {});

/// How far base b reaches: the first m with B(m) < 0, less one; `limit` when there is none up to there.
tensor::Index context_of_base(tensor::Index rotary_dim, double base, tensor::Index limit, const Pause& = {});

struct BaseSearch {
  double from = 2, to = 1e10;
  double ratio = 1.001;  ///< of one base to the next: a narrower stretch of good bases may be missed
  Pause pause = {};      ///< called before each base too
};

/// The least base of the search that reaches `context`, made exact to 1 part in 10^6 between it and the base before;
/// 0 when none does.
double least_base(tensor::Index rotary_dim, tensor::Index context, const BaseSearch&);

}  // namespace orrery::position
