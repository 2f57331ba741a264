// Layer normalisation.
//
//   μ = (1/D) Σ_j x_j      σ² = (1/D) Σ_j (x_j − μ)²      y_j = w_j (x_j − μ) / √(σ² + ε) + b_j
//
// Shapes     x, y: N × D (a token is a row); weight, bias: D, or empty for 1 and 0.
// Formats    Two passes: mean, then centred squares.
//            cpu: stored in T (float, double), computed in double, rounded once; so no square of a
//            float overflows or underflows, and a large common mean costs no digit.
//            gpu: float throughout. It centres twice (subtract the rounded mean, then the mean of what
//            is left), because x − μ in one step would carry the rounding of μ; and it scales the row
//            by a power of two, because squares overflow from 2⁶⁴ on.
// Edges      N = 0 or D = 0: nothing is written. NaN or ±∞ in a row: that row is NaN, no other.
//            A constant row: y = b (with ε = 0: NaN, 0 · ∞).
// Units      ε is added to the variance, in the square of x's unit. Default 1e-5 (PyTorch).
// Bound      layer_norm_bound (cpu) and layer_norm_gpu_bound, against layer_norm_ref on the same inputs
//            rounded to float; see there for their origin.
// Source     Ba, Kiros, Hinton, "Layer Normalization", arXiv 1607.06450, eq. 3 and 4.
#pragma once

#include <span>

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

struct LayerNormParams {
  double eps = 1e-5;
};

/// Rounded once; row: x − μ and w·x̂ + b may cancel, and keep then only what double holds: 2⁻⁵² of |x|max/σ,
/// |w| and |b|. 2⁻³⁶ of the row's largest result leaves room for |x|max/σ up to 2¹⁴ (the common mean of
/// the test inputs is at 10⁴).
inline constexpr tensor::Bound layer_norm_bound{.abs = tensor::rounded_once.abs,
                                                .rel = tensor::rounded_once.rel,
                                                .nmse = tensor::rounded_once.nmse,
                                                .row = 0x1p-36};

/// Float, u = 2⁻²⁴. rel: the variance by per-thread sums and a tree (positive terms; halved by the root),
/// root and quotient (2.5 ulp is all that GL promises), three products. row: centring in two steps leaves
/// 2 u of the largest deviation, the sum w·x̂ + b another u. abs: x below 2⁻¹²⁶ may be flushed to zero, and
/// grows by 1/√ε. llvmpipe, whose quotients are exact to half a unit, uses 60 % of it.
inline constexpr tensor::Bound layer_norm_gpu_bound{
    .abs = 0x1p-116, .rel = 0x1p-21, .nmse = 4e-14, .row = 0x1p-22};

void layer_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const LayerNormParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void layer_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const LayerNormParams&, tensor::View<T> y);

void layer_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const LayerNormParams&, tensor::View<float> y);

}  // namespace orrery::norm
