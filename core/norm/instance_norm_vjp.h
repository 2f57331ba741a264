// The vector–Jacobian product of instance normalisation: that of batch normalisation in training, sample by sample.
//
//   With x̂ = (x − μ) r and r = 1/√(σ² + ε) of each sample and column, means over the T positions of the sample:
//     dx = w r (g − mean g − x̂ mean(g x̂))        dw = Σ g x̂        db = Σ g, over all rows
//
// Shapes     x, g, dx: N × D; weight: D or empty; dw, db: D, or empty when nobody wants them. T divides N.
// Formats    As batch_norm_vjp: computed in double, in the whole range of T.
// Edges      N = 0: dw and db are zeros. A constant column of a sample: x̂ = 0 (with ε = 0: NaN, 0 · ∞).
// Source     Ulyanov, Vedaldi, Lempitsky, arXiv 1607.08022; the chain rule.
#pragma once

#include "core/norm/instance_norm.h"

namespace orrery::norm {

template <class T>
struct InstanceNormGradients {
  tensor::View<T> x;
  std::span<T> weight, bias;
};

template <class T>
void instance_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                       const InstanceNormParams&, const InstanceNormGradients<T>& result);

}  // namespace orrery::norm
