// The vector–Jacobian product of batch normalisation in training: that of layer normalisation down the columns.
//
//   With x̂ = (x − μ) r and r = 1/√(σ² + ε), sums and means over the N rows:
//     dx = w r (g − mean g − x̂ mean(g x̂))        dw = Σ g x̂        db = Σ g
//   By given statistics, which are no inputs that learn: dx = w r g, dw and db as above.
//
// Shapes     x, g, dx: N × D; weight: D or empty; dw, db: D, or empty when nobody wants them.
// Formats    Stored in T (float, double), computed in double as batch_norm computes it there: centred twice, columns whose
//            squares leave double scaled by a power of two. dx is of the size of w g/σ: where that leaves T it is ±∞ or 0.
// Edges      N = 0: dw and db are zeros. A constant column: x̂ = 0 (with ε = 0: NaN, 0 · ∞).
// Source     Ioffe, Szegedy, arXiv 1502.03167, section 3.
#pragma once

#include "core/norm/batch_norm.h"

namespace orrery::norm {

template <class T>
struct BatchNormGradients {
  tensor::View<T> x;
  std::span<T> weight, bias;
};

template <class T>
void batch_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const BatchNormParams&, const BatchNormGradients<T>& result);

}  // namespace orrery::norm
