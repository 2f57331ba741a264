// Batch normalisation, as it is in training, by the statistics of the batch itself, and as it is afterwards, by given ones.
//
//   μ_j = (1/N) Σ_i x_ij      σ²_j = (1/N) Σ_i (x_ij − μ_j)²      y_ij = w_j (x_ij − μ_j) / √(σ²_j + ε) + b_j
//
// Layer normalisation turned by 90°: sums run down the columns, over all tokens of all sequences. So a token's
// result depends on the others, which is why Transformers do without it. In evaluation μ and σ² are those that training has
// gathered (PyTorch's running_mean and running_var): then a token's result is its own.
//
// Shapes     x, y: N × D (all axes but the last are rows); weight, bias: D, or empty for 1 and 0.
// Formats    Two passes. cpu: stored in T (float, double), computed in double, rounded once; in float both passes go
//            over a few rows in registers, whose moments are joined (Chan, Golub, LeVeque, Am. Stat. 37, 1983), in an
//            order that depends on the shape alone. In double, ref too, as layer_norm: centred twice, columns whose squares
//            leave double scaled by a power of two. gpu: float with compensated sums, columns scaled by a power of two, the mean taken off in two steps.
// Edges      N = 0 or D = 0: nothing is written. NaN or ±∞ in a column: that column is NaN, no other.
//            A constant column, so also N = 1: y = b (with ε = 0: NaN, 0 · ∞).
//            Given statistics: NaN or ±∞ in an element stays there; NaN in μ or σ²: that column is NaN.
// Units      ε is added to the variance, in the square of x's unit. Default 1e-5 (PyTorch).
// Bound      batch_norm_bound (cpu) and batch_norm_gpu_bound, against batch_norm_ref on the same inputs
//            rounded to float; see there for their origin.
// Source     Ioffe, Szegedy, "Batch Normalization", arXiv 1502.03167, algorithm 1.
#pragma once

#include <span>
#include <vector>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

struct BatchNormParams {
  double eps = 1e-5;
  /// μ and σ² of every column, D each; both empty: those of the batch. In float the twins take them as floats.
  std::vector<double> mean = {}, variance = {};

  bool by_given_statistics() const { return !mean.empty(); }
};

/// Rounded once, by given statistics too; abs: a column's results are about |w| in size, and cancellation in x − μ and in
/// w·x̂ + b leaves 2⁻⁵² of |x|max/σ, |w| and |b|: 2⁻³⁶ has room for |x|max/σ up to 2¹⁴ and weights up to 4.
inline constexpr tensor::Bound batch_norm_bound{
    .abs = 0x1p-36, .rel = tensor::rounded_once.rel, .nmse = tensor::rounded_once.nmse};

/// Float, u = 2⁻²⁴, of the magnitude |w| max|x̂| + |b| of the column: centring in two steps leaves 2 u of the
/// largest deviation (by given statistics u of each), variance, root and quotient 4 u, product and sum 2 u. abs: x below
/// 2⁻¹²⁶ may be flushed to zero, and grows by 1/√ε.
inline constexpr tensor::Bound batch_norm_gpu_bound{.abs = 0x1p-116, .rel = 0x1p-21, .nmse = 0x1p-42};

/// Throws InvalidArgument for given statistics of another number of columns, for one without the other, and for a
/// variance below 0.
void check_batch_norm(const BatchNormParams&, tensor::Index cols);

void batch_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const BatchNormParams&, tensor::View<double> y);

/// T is float or double. Pieces of rows and columns are spread over threads. y may be x.
template <class T>
void batch_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const BatchNormParams&, tensor::View<T> y);

void batch_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const BatchNormParams&, tensor::View<float> y);

/// Every stage rounded as in layer_norm_staged with two passes, down the columns. Given statistics are kept in the format of
/// accumulation.
void batch_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const BatchNormParams&, const tensor::Precision&,
                       tensor::View<double> y);

}  // namespace orrery::norm
