// How far the feed-forward networks in float may stand from the reference: relative to the sums of magnitudes behind each
// result, because a float sum may cancel to nothing.
//
//   plain   A = |x||W1| + |b1|, h = reach(A)                  magnitude = h |W2| + |b2|
//   gated   A = |x||Wgate| + |bgate|, U = |x||Wup| + |bup| + |c|, h = reach(A) ⊙ U    magnitude = h |Wdown| + |bdown|
//           (a limit only ever lessens an error)
//
// reach(A) = |f(0)| + L A bounds |f(a)| for every |a| ≤ A, and L the slope of f: an error of a is at most L times that of
// f. Where a magnitude leaves float's range a partial sum may too, and nothing is promised.
#pragma once

#include "core/activation/feed_forward.h"

namespace orrery::activation {

/// `largest_out` is the largest |w| of the last matrix. rel, u = 2⁻²⁴, in the worst case: simd::product_bound and 4 u for each
/// product (the gpu's are off by no more), that of the first matrix twice for the gate and what it lets pass; 16 u for the
/// activation.
/// abs: what is below 2⁻¹²⁶ may be flushed to zero, in the hidden layer and in the result. llvmpipe uses 4 %.
tensor::Bound feed_forward_bound(tensor::Index D, tensor::Index F, double largest_out);

void feed_forward_magnitude(tensor::View<const double> x, const FeedForwardWeights<double>&,
                            const ActivationParams&, tensor::View<double> m);
void gated_feed_forward_magnitude(tensor::View<const double> x, const GatedFeedForwardWeights<double>&,
                                  const Gate&, tensor::View<double> m);

}  // namespace orrery::activation
