// Layer normalisation.
//
//   μ = (1/D) Σ_j x_j      σ² = (1/D) Σ_j (x_j − μ)²      y_j = w_j (x_j − μ) / √(σ² + ε) + b_j
//
// Shapes     x, y: N × D (a token is a row); weight, bias: D, or empty for 1 and 0.
// Formats    cpu: stored and accumulated in T (float, double); gpu: float. Two passes: mean, then centred squares.
// Edges      N = 0 or D = 0: nothing is written. NaN or ±∞ in a row: that row is NaN, no other. A constant row: y = b.
// Units      ε is added to the variance, in the square of x's unit. Default 1e-5 (PyTorch).
// Bound      layer_norm_bound, against layer_norm_ref on the same inputs rounded to float; see there for its origin.
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

void layer_norm_ref(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
                    const LayerNormParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void layer_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const LayerNormParams&, tensor::View<T> y);

void layer_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const LayerNormParams&, tensor::View<float> y);

}  // namespace orrery::norm
