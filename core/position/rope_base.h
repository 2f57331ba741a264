// The least base for a context length: a key that is like the query should score above one that is not.
//
//   E[qᵀ R_m k*] − E[qᵀ R_m k] = 2σ² B(m), B(m) = Σ_i cos(m θ_i), k* = q + noise
//
// so B must not fall below 0 within the context: base b reaches L when B(m) ≥ 0 for every whole m ≤ L. The
// condition is not monotone in b: a larger base may fail where a smaller one holds. A bisection over bases is
// therefore wrong; here bases are tried one by one, upwards, by a constant ratio.
//
// Formats  double; whole distances only, as tokens have. A value within 1e-8 of 0 is worked out anew, term by term.
// Source   Men et al., "Base of RoPE bounds context length", arXiv 2405.14591, theorem 1, equation 10 and table 2.
#pragma once

#include <span>

#include "core/position/rope_envelope.h"
#include "core/tensor/view.h"

namespace orrery::position {

/// The first whole m of from … to with B(m) < 0; 0 when there is none. from ≥ 1.
tensor::Index first_negative_similarity(std::span<const double> inv_freq, tensor::Index from,
                                        tensor::Index to, const Pause& = {});

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
