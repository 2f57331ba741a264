// Dynamic tanh: a norm's place taken by a function of each element alone.
//
//   y_j = w_j tanh(α x_j) + b_j
//
// Shapes     x, y: N × D (a token is a row); weight, bias: D, or empty for 1 and 0; α is one number.
// Formats    cpu: stored and computed in T (float, double). gpu: float throughout.
// Edges      N = 0 or D = 0: nothing is written. NaN: that element is NaN. ±∞: ±w + b.
// Units      α is in the inverse of x's unit. Default 0.5.
// Bound      dyt_bound (cpu) and dyt_gpu_bound, against dyt_ref on the same inputs rounded to float; see
//            there for their origin.
// Source     Zhu, Chen, He, LeCun, Liu, "Transformers without Normalization", arXiv 2503.10622.
#pragma once

#include <span>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

struct DytParams {
  double alpha = 0.5;
};

/// Float, u = 2⁻²⁴, of the magnitude |w| tanh|αx| + |b|, because the sum may cancel: α and αx 2 u; tanh 4 u at most (its
/// argument's error grows by no more than 1.5 from 0.64 on); product and sum, together or apart, 2 u. abs: where αx is
/// subnormal, w multiplies what its last bit lost.
constexpr tensor::Bound dyt_bound(double largest_weight) {
  return {.abs = 0x1p-149 * (1 + largest_weight), .rel = 0x1p-21};
}

/// Float, of the magnitude |w| tanh|αx| + |b|: α and αx rounded, tanh_of to 6 ulp, product and sum. abs: αx
/// below 2⁻¹²⁶ may be flushed to zero.
inline constexpr tensor::Bound dyt_gpu_bound{.abs = 0x1p-124, .rel = 0x1p-20, .nmse = 4e-14};

void dyt_ref(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
             const DytParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void dyt_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias, const DytParams&,
             tensor::View<T> y);

void dyt_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
             std::span<const float> bias, const DytParams&, tensor::View<float> y);

/// Every stage rounded: x, weight and bias to storage; α, αx, tanh, ·w and + b to accumulate; y to storage.
void dyt_staged(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
                const DytParams&, const tensor::Precision&, tensor::View<double> y);

}  // namespace orrery::norm
