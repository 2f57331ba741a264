// What rotary frequencies alone say about a score by distance.
//
//   h_i = q_i conj(k_i), each pair as a complex number; score(r) = Re Σ_i h_i e^(i r θ_i)
//   S_j(r) = Σ_(i<j) e^(i r θ_i), S_0 = 0
//
//   |score(r)| ≤ max_i |h_(i+1) − h_i| Σ_(j=1…P) |S_j(r)|, with h_P = 0 and P pairs       (Abel summation)
//
// The bound falls with r, roughly; the score itself need not: for every r there is a key whose score is largest
// there.
//
// Formats  double throughout; angles are formed in double.
// Edges    no pairs: everything is 0.
// Source   Su et al., arXiv 2104.09864, section 3.4.3 and figure 2; the counter-example: Barbero et al.,
//          arXiv 2410.06205.
#pragma once

#include <complex>
#include <span>

namespace orrery::position {

/// (1/P) Σ_(j=1…P) |S_j(r)|: what RoFormer's figure 2 draws.
double mean_partial_sum(std::span<const double> inv_freq, double r);

/// B(r) = Σ_i cos(r θ_i): the score of a vector of ones with itself, over 2; the trace of the rotation, over 2.
double similarity(std::span<const double> inv_freq, double r);

/// Re Σ_i h_i e^(i r θ_i).
double score_at(std::span<const std::complex<double>> h, std::span<const double> inv_freq, double r);

/// max_i |h_(i+1) − h_i| with h_P = 0: what stands before the sum in the bound.
double largest_step(std::span<const std::complex<double>> h);

}  // namespace orrery::position
