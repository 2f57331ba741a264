// Softmax of every row.
//
//   m = max_j x_j      e_j = exp((x_j − m)/τ)      y_j = e_j / Σ e
//
// Shapes     x, y: N × S.
// Formats    cpu: stored in T (float, double), computed in double, rounded once; for float, exp by a
//            polynomial of our own (2⁻⁴⁵), which vectorises. gpu: float throughout.
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

/// Rounded once: the exponent (x − m)/τ is formed in double, where |x − m|/τ up to 745 costs e_j at most
/// 2⁻⁴³; S positive terms in another order lose at most S·2⁻⁵³, covered up to S = 8192 in the worst case.
inline constexpr tensor::Bound softmax_bound = tensor::rounded_once;

/// Float, u = 2⁻²⁴. rel: exp of our own (below 2 ulp), the sum, its reciprocal (2.5 ulp is all that GL
/// promises), the product. row: z = (x − m)/τ is rounded twice, which costs e_j 2|z| u; |z| exp(z) is at
/// most 1/e, so 0.74 u of the row's largest result, or 2.2 u with GL's quotient. abs: e_j below 2⁻¹²⁶ may be
/// flushed to zero. llvmpipe uses 19 % of it.
inline constexpr tensor::Bound softmax_gpu_bound{
    .abs = 0x1p-125, .rel = 0x1p-20, .nmse = 5e-14, .row = 0x1p-23};

/// Throws InvalidArgument unless the temperature is above 0.
void check_softmax(const SoftmaxParams&);

void softmax_ref(tensor::View<const double> x, const SoftmaxParams&, tensor::View<double> y);

/// T is float or double.
template <class T>
void softmax_cpu(tensor::View<const T> x, const SoftmaxParams&, tensor::View<T> y);

void softmax_gpu(gpu::Device&, tensor::View<const float> x, const SoftmaxParams&, tensor::View<float> y);

}  // namespace orrery::attention
