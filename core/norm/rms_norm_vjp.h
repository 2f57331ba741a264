// The vector–Jacobian product of root-mean-square normalisation.
//
//   With ĝ = (o + w) g, x̂ = x r, R² = (1/k) Σ_{j<k} x_j² and k = D unless partial:
//     inside,  r = 1/√(R² + ε):  dx_j = r (ĝ_j − [j<k] x̂_j (1/k) Σ ĝ x̂)
//     outside, r = 1/(R + ε):    dx_j = r (ĝ_j − [j<k] x̂_j Σ ĝ x̂ / (k R r))
//     dw = Σ_rows g x̂        db = Σ_rows g
//   The sum of ĝ x̂ is over all D columns.
//
// Shapes     x, g, dx: N × D; weight: D or empty; dw, db: D, or empty when nobody wants them.
// Formats    Stored in T (float, double), computed in double; as in rms_norm, rows whose squares leave double are scaled by a
//            power of two. dx is of the size of ĝ/R: where that leaves T it is ±∞ or 0.
// Edges      N = 0: dw and db are zeros. A zero row: x̂ = 0, and what it multiplies is taken as 0 (with ε = 0: NaN, 0 · ∞).
// Source     Zhang, Sennrich, arXiv 1910.07467; the chain rule.
#pragma once

#include "core/norm/rms_norm.h"

namespace orrery::norm {

template <class T>
struct RmsNormGradients {
  tensor::View<T> x;
  std::span<T> weight;
  std::span<T> bias = {};
};

template <class T>
void rms_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                  const RmsNormParams&, const RmsNormGradients<T>& result);

}  // namespace orrery::norm
