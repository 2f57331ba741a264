// Self-Extend: positions for texts longer than the trained length, without training.
//
//   distance of a query at m and a key at n     m − n                              within the window, m − n < W
//                                               ⌊m/G⌋ + W − W/G − ⌊n/G⌋            beyond it
//
// So beyond the window a query stands at ⌊m/G⌋ + W − W/G and a key at ⌊n/G⌋: two rotations of each, and the scores of
// both are merged at the window. With G = 1 all is as it was. A length L is trained for distances below L; with
// groups of G it reaches (L − W) G + W tokens.
//
// Edges      G < 1, W < 0, W no multiple of G: InvalidArgument. (Published code divides W by G as a real number in
//            one place and as a whole one in another; where G divides W they agree.)
// Source     Jin et al., "LLM maybe LongLM", arXiv 2401.01325, and its code.
#pragma once

#include "core/position/xpos.h"
#include "core/tensor/view.h"

namespace orrery::position {

struct SelfExtendParams {
  tensor::Index group = 1;   ///< G, tokens that share a position
  tensor::Index window = 0;  ///< W, tokens
};

/// Throws InvalidArgument for a window that the groups do not fill.
void check_self_extend(const SelfExtendParams&);
/// Where a query or a key stands for the scores beyond the window.
double self_extend_position(double position, const SelfExtendParams&, ScoreSide);
/// What the model sees as the distance of a query at m and a key at n ≤ m.
double self_extend_distance(tensor::Index m, tensor::Index n, const SelfExtendParams&);
/// How long a text may be when distances below `trained` are known.
tensor::Index self_extend_reach(tensor::Index trained, const SelfExtendParams&);

}  // namespace orrery::position
