// The vector–Jacobian product of dynamic tanh.
//
//   dx = α w g / cosh²(αx)        dw = Σ_rows g tanh(αx)        db = Σ_rows g
//
// Shapes     x, g, dx: N × D; weight: D or empty; dw, db: D, or empty when nobody wants them.
// Formats    Stored in T (float, double), computed in double. 1/cosh², not 1 − tanh²: no digits cancel.
// Edges      N = 0: dw and db are zeros.
// Source     Zhu et al., arXiv 2503.10622; the chain rule.
#pragma once

#include "core/norm/dyt.h"

namespace orrery::norm {

template <class T>
struct DytGradients {
  tensor::View<T> x;
  std::span<T> weight, bias;
};

template <class T>
void dyt_vjp(tensor::View<const T> x, std::span<const T> weight, tensor::View<const T> g, const DytParams&,
             const DytGradients<T>& result);

}  // namespace orrery::norm
