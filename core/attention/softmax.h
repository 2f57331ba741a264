// Softmax of every row.
//
//   m = max_j x_j      e_j = exp((x_j − m)/τ)      y_j = e_j / Σ e
//
// Shapes     x, y: N × S.
// Formats    cpu: stored in T (float, double), computed in double, rounded once. gpu: float throughout.
// Edges      a row of −∞ only (fully masked) gives zeros; NaN in a row: that row is NaN; +∞ in a row:
//            NaN, as in IEEE arithmetic (∞ − ∞) and in PyTorch; empty: nothing is written. y may be x.
// Units      τ is the temperature, in x's unit; > 0 (else InvalidArgument), default 1.
// Bound      softmax_bound (cpu) and softmax_gpu_bound, against softmax_ref on the same inputs rounded
//            to float.
// Source     Vaswani et al., arXiv 1706.03762, eq. 1; subtraction of the maximum: standard, makes every
//            exponent ≤ 0.
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

/// Rounded once: the exponent (x − m)/τ is formed in double, where |x − m| up to 745 costs at most 2⁻⁴³ of
/// e_j.
inline constexpr tensor::Bound softmax_bound = tensor::rounded_once;

/// Float, u = 2⁻²⁴: exp of llvmpipe is off by up to 62 ulp (124 u) on [−80, 0] (17 ulp on [−20, 0]); rounding
/// the exponent costs |x − m|/τ · u, at most 88 u before e_j leaves the normal range; the sum a few u. abs:
/// such e_j may be flushed to zero.
inline constexpr tensor::Bound softmax_gpu_bound{.abs = 0x1p-125, .rel = 0x1p-16, .nmse = 1e-11};

/// Throws InvalidArgument unless the temperature is above 0.
void check_softmax(const SoftmaxParams&);

void softmax_ref(tensor::View<const double> x, const SoftmaxParams&, tensor::View<double> y);

/// T is float or double.
template <class T>
void softmax_cpu(tensor::View<const T> x, const SoftmaxParams&, tensor::View<T> y);

void softmax_gpu(gpu::Device&, tensor::View<const float> x, const SoftmaxParams&, tensor::View<float> y);

}  // namespace orrery::attention
