// ScaleNorm: a token on a sphere of learned radius.
//
//   y_j = g x_j / max(‖x‖, ε)      ‖x‖ = √(Σ_j x_j²)
//
// RMSNorm with one gain for all columns: with g = √D it is RMSNorm without a weight. With g learned and both
// queries and keys normalised it is QK-norm (arXiv 2010.04245).
//
// Shapes     x, y: N × D (a token is a row); g is one number.
// Formats    cpu: stored and computed in T (float, double); sums, and float rows whose squares leave float, in double; rows
//            whose squares leave double are scaled by a power of two. gpu: float throughout, with a compensated sum; it
//            scales the row by a power of two, because squares overflow from 2⁶⁴ on.
// Edges      N = 0 or D = 0: nothing is written. NaN in a row: that row is NaN, no other.
//            ±∞ in a row: NaN there, zeros in the rest of the row.
//            A zero row gives zeros when ε > 0 (with ε = 0: NaN, 0/0).
// Units      ε is in x's unit: a floor for the norm. Default 1e-5 (the paper's code).
// Bound      scale_norm_bound (cpu) and scale_norm_gpu_bound, against scale_norm_ref on the same inputs
//            rounded to float; see there for their origin.
// Source     Nguyen, Salazar, "Transformers without Tears", arXiv 1910.05895, eq. 5; g starts at √D there.
#pragma once

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

struct ScaleNormParams {
  double eps = 1e-5;
};

/// Float, u = 2⁻²⁴: no subtraction, so nothing cancels. A square takes part in at most six roundings on its way into the
/// sum, which the root halves: 3 u; the factor g/‖x‖ and its product with x: 2 u. nmse: rel², as rms_norm.
inline constexpr tensor::Bound scale_norm_bound{.abs = 0x1p-149, .rel = 0x1.4p-22, .nmse = 0x1.9p-44};

/// Float, u = 2⁻²⁴: squares u and their sum 7 u (compensated, but for its last five additions), halved by the root; root and
/// quotient 2 u where they are rounded correctly (2.5 ulp is all that GL promises), two products 2 u, ε in float u. nmse: rel².
/// abs: x below 2⁻¹²⁶ may be flushed to zero, and grows by 1/ε.
inline constexpr tensor::Bound scale_norm_gpu_bound{.abs = 0x1p-108, .rel = 0x1.2p-21, .nmse = 0x1.44p-42};

void scale_norm_ref(tensor::View<const double> x, double gain, const ScaleNormParams&,
                    tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void scale_norm_cpu(tensor::View<const T> x, T gain, const ScaleNormParams&, tensor::View<T> y);

void scale_norm_gpu(gpu::Device&, tensor::View<const float> x, float gain, const ScaleNormParams&,
                    tensor::View<float> y);

/// Every stage rounded: x and g to storage; then, each result to accumulate, x², their sum from left to right,
/// the root, the larger of it and ε, g over that, the product with x; and y to storage.
void scale_norm_staged(tensor::View<const double> x, double gain, const ScaleNormParams&,
                       const tensor::Precision&, tensor::View<double> y);

}  // namespace orrery::norm
