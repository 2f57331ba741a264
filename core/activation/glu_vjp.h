// The vector–Jacobian product of a gated linear unit y = f(a) ⊙ b:
//
//   da = g ⊙ b ⊙ f'(a),   db = g ⊙ f(a),   each in the half that it came from; limits as in gate.h
#pragma once

#include "core/activation/glu.h"

namespace orrery::activation {

/// T is float or double; in double, rounded once.
template <class T>
void glu_vjp(tensor::View<const T> x, tensor::View<const T> g, const GluParams&, tensor::View<T> dx);

}  // namespace orrery::activation
