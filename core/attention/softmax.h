// Softmax of every row.
//
//   m = max_j x_j      e_j = exp((x_j − m)/τ)      y_j = e_j / Σ e
//
// Shapes     x, y: N × S.
// Formats    cpu: stored and accumulated in T; gpu: float.
// Edges      a row of −∞ only (fully masked) gives zeros; NaN in a row: that row is NaN; +∞ in a row: NaN, as in IEEE
//            arithmetic (∞ − ∞) and in PyTorch; empty: nothing is written. y may be x.
// Units      τ is the temperature, in x's unit; > 0, default 1.
// Bound      softmax_bound, against softmax_ref on the same inputs rounded to float.
// Source     Vaswani et al., arXiv 1706.03762, eq. 1; subtraction of the maximum: standard, makes every exponent ≤ 0.
#pragma once

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::attention {

struct SoftmaxParams {
  double temperature = 1;
};

void softmax_ref(tensor::View<const double> x, const SoftmaxParams&, tensor::View<double> y);

/// T is float or double.
template <class T>
void softmax_cpu(tensor::View<const T> x, const SoftmaxParams&, tensor::View<T> y);

void softmax_gpu(gpu::Device&, tensor::View<const float> x, const SoftmaxParams&, tensor::View<float> y);

}  // namespace orrery::attention
