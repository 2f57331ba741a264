// The vector–Jacobian product of group normalisation: that of layer normalisation, group by group.
//
//   With ĝ = w g, x̂ = (x − μ_k) r_k and r_k = 1/√(σ²_k + ε), means over the columns of the group:
//     dx = r_k (ĝ − mean ĝ − x̂ mean(ĝ x̂))        dw = Σ_rows g x̂        db = Σ_rows g
//
// Shapes     x, g, dx: N × D; weight: D or empty; dw, db: D, or empty when nobody wants them. G divides D.
// Formats    As layer_norm_vjp: computed in double, in the whole range of T.
// Edges      N = 0: dw and db are zeros. A constant group: x̂ = 0 (with ε = 0: NaN, 0 · ∞).
// Source     Wu, He, arXiv 1803.08494; the chain rule.
#pragma once

#include "core/norm/group_norm.h"

namespace orrery::norm {

template <class T>
struct GroupNormGradients {
  tensor::View<T> x;
  std::span<T> weight, bias;
};

template <class T>
void group_norm_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g,
                    const GroupNormParams&, const GroupNormGradients<T>& result);

}  // namespace orrery::norm
