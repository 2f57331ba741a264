// The vector–Jacobian product of layer normalisation.
//
//   With ĝ = w g, x̂ = (x − μ) r and r = 1/√(σ² + ε):
//     dx = r (ĝ − mean ĝ − x̂ mean(ĝ x̂))        dw = Σ_rows g x̂        db = Σ_rows g
//   annotated, r = 1/(s + ε):
//     dx = r (ĝ − mean ĝ − x̂ Σ(ĝ x̂) / ((D − 1) s r))
//
// r contains ε, so both are exact. The Jacobian has rank D − 2: it forgets shifts and, with ε = 0, scale.
//
// Shapes     x, g, dx: N × D; weight: D or empty; dw, db: D, or empty when nobody wants them.
// Formats    Stored in T (float, double), computed in double by two passes, whatever the estimator. As in layer_norm, x is
//            centred twice (in float where the second time shows: from 2⁻³⁰ σ on), and rows whose squares leave double are
//            scaled by a power of two. dx is of the size of ĝ/σ: where that leaves T it is ±∞ or 0.
// Edges      N = 0: dw and db are zeros. A constant row: x̂ = 0, and what it multiplies is taken as 0 (with ε = 0: NaN, 0 · ∞).
// Source     Ba, Kiros, Hinton, arXiv 1607.06450; the chain rule.
#pragma once

#include "core/norm/layer_norm.h"

namespace orrery::norm {

template <class T>
struct LayerNormGradients {
  tensor::View<T> x;
  std::span<T> weight, bias;
};

template <class T>
void layer_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const LayerNormParams&, const LayerNormGradients<T>& result);

}  // namespace orrery::norm
