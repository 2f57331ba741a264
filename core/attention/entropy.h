// How spread out attention is, and what is done against its spreading in longer texts.
//
//   H = −Σ p ln p, p = softmax(κ s): from 0 (one key has all the weight) to ln n (all n alike)
//
// For n independent normal scores of deviation σ, H ≈ ln n − (κσ)²/2 while κσ is below √(2 ln n): with more keys the same
// scores mean less. A factor κ that grows with n holds against it:
//
//   log_n   κ = max(1, ln n / ln L)                  L: the trained length
//   yarn    κ = (0.1 ln s + 1)², s = max(1, n/L)     the square of its attention factor
//   window  κ = 1, and only the last L keys are seen
//
// Formats  double throughout.
// Edges    no scores: 0. −∞ is a masked key. L = 1 with log_n: κ = 1, there is no logarithm to divide by.
// Source   Su, "attention scale from entropy invariance", kexue.fm 8823; Chiang and Cholak, arXiv 2202.12172 (log_n);
//          Peng et al., arXiv 2309.00071, section 3.4 (yarn).
#pragma once

#include <cstdint>
#include <span>

namespace orrery::attention {

enum class LengthRemedy : std::uint8_t { none, log_n, yarn, window };

/// κ for n keys.
double logit_scale(LengthRemedy, double n, double trained_length);

/// Entropy in nats of softmax(scale · scores). A score of −∞ is a hidden key, at every scale; 0 where none is seen. NaN
/// where a score is NaN or +∞.
double softmax_entropy(std::span<const double> scores, double scale = 1);

/// ln n − (κσ)²/2 where it holds; the frozen state's 0 beyond √(2 ln n).
double normal_entropy(double n, double deviation);

}  // namespace orrery::attention
