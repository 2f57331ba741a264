// The vector–Jacobian product of ScaleNorm.
//
//   ‖x‖ > ε:  dx = (γ/‖x‖) (g − x̂ Σ g x̂), x̂ = x/‖x‖        else  dx = γ g/ε
//   dγ = Σ g x / max(‖x‖, ε), over all rows and columns; γ is the gain.
//
// Shapes     x, g, dx: N × D; dγ is one number.
// Formats    Stored in T (float, double), computed in double.
// Source     Nguyen, Salazar, arXiv 1910.05895; the chain rule.
#pragma once

#include "core/norm/scale_norm.h"

namespace orrery::norm {

/// Returns dγ.
template <class T>
T scale_norm_vjp(tensor::View<const T> x, T gain, tensor::View<const T> g, const ScaleNormParams&,
                 tensor::View<T> dx);

}  // namespace orrery::norm
