// The vector–Jacobian product of an activation: dx = g f'(x), element by element. f' in double, rounded once.
#pragma once

#include "core/activation/activation.h"

namespace orrery::activation {

/// T is float or double. dx may be x or g.
template <class T>
void activation_vjp(tensor::View<const T> x, tensor::View<const T> g, const ActivationParams&,
                    tensor::View<T> dx);

/// The same for training: relu, silu, gelu and gelu_tanh by loops in float, the other kinds as above. With u = 2⁻²⁴ it is
/// within 8 u |g|: f' is at most 1.13, and exp, a quotient, a polynomial and five products and sums make it. dx may be x or
/// g.
void activation_vjp_in_float(tensor::View<const float> x, tensor::View<const float> g,
                             const ActivationParams&, tensor::View<float> dx);

}  // namespace orrery::activation
