// Which part of its circle a pair has seen in training, and which part is new in a longer text.
//
// Distances 0 … L − 1 turn a pair by 0 … (L − 1)θ. A pair that makes a whole turn within the trained length has seen
// every direction; a slow pair has seen an arc. In a text of length n under frequencies θ', it reaches (n − 1)θ': what lies
// beyond the arc was never seen. Position interpolation keeps every pair inside its arc and sets neighbours closer together
// instead.
//
// Source  Liu et al., arXiv 2310.05209 (the critical dimension); Peng et al., arXiv 2309.00071, section 3.
#pragma once

#include "core/tensor/view.h"

namespace orrery::position {

/// Parts of a turn, 0 … 1.
struct ArcCoverage {
  double seen = 0;   ///< in training
  double fresh = 0;  ///< reached by the longer text, not seen in training; it begins where `seen` ends
  /// θ/θ': how many times closer neighbouring tokens stand than in training; 0 for a pair that stands still.
  double crowding = 1;
};

ArcCoverage arc_coverage(double trained_frequency, double trained_length, double frequency, double length);

/// 2 ⌈(d/2) ln(L/2π) / ln b⌉: the dimensions whose pairs have seen their whole circle within L tokens, at most d.
tensor::Index critical_dimension(tensor::Index rotary_dim, double base, double trained_length);

}  // namespace orrery::position
