// The vector–Jacobian product of an activation: dx = g f'(x), element by element. f' in double, rounded once.
#pragma once

#include "core/activation/activation.h"

namespace orrery::activation {

/// T is float or double. dx may be x or g.
template <class T>
void activation_vjp(tensor::View<const T> x, tensor::View<const T> g, const ActivationParams&,
                    tensor::View<T> dx);

}  // namespace orrery::activation
