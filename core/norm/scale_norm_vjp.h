// The vector–Jacobian product of ScaleNorm.
//
//   ‖x‖ > ε:  dx = (γ/‖x‖) (g − x̂ Σ g x̂), x̂ = x/‖x‖        else  dx = γ g/ε
//   dγ = Σ g x / max(‖x‖, ε), over all rows and columns; γ is the gain.
//
// Shapes     x, g, dx: N × D; dγ is one number.
// Formats    Stored in T (float, double), computed in double; as in scale_norm, rows whose squares leave double are scaled by
//            a power of two. dx is of the size of γ g/‖x‖: where that leaves T it is ±∞ or 0.
// Edges      N = 0: dγ is 0. A zero row: x̂ = 0 (with ε = 0: NaN, 0/0).
// Source     Nguyen, Salazar, arXiv 1910.05895; the chain rule.
#pragma once

#include "core/norm/scale_norm.h"

namespace orrery::norm {

/// Returns dγ.
template <class T>
T scale_norm_vjp(tensor::View<const T> x, T gain, tensor::View<const T> g, const ScaleNormParams&,
                 tensor::View<T> dx);

}  // namespace orrery::norm
