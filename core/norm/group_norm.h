// Group normalisation: layer normalisation of each group of a token's columns by itself.
//
//   group k has the columns kD/G … (k+1)D/G − 1, and
//   μ_k = (G/D) Σ_{j in k} x_j      σ²_k = (G/D) Σ_{j in k} (x_j − μ_k)²
//   y_j = w_j (x_j − μ_k) / √(σ²_k + ε) + b_j   for j in k
//
// G = 1 is layer normalisation, G = D instance normalisation of a single number: y = b. The variance is biased (divided by
// the number of its terms), as in the paper and in PyTorch.
//
// Shapes     x, y: N × D (a token is a row); weight, bias: D, or empty for 1 and 0; G divides D.
//            PyTorch's GroupNorm on (N, C) is this with D = C. On (N, C, L), where a group's statistics also run over the L
//            places, it is this on N rows of D = C·L, a channel's places side by side as they lie in memory, with each
//            channel's weight and bias L times. With one channel to a group that is instance_norm, channels before positions.
// Formats    As layer_norm, group by group. cpu: in float sums that go on in double, μ in two floats; a group whose
//            squares leave float and one of fewer than 16 columns are computed in double and rounded once. gpu: float.
// Edges      N = 0 or D = 0: nothing is written. NaN or ±∞ in a group: that group is NaN, no other, of this row or another.
//            A constant group, so also one of a single column: y = b (with ε = 0: NaN, 0 · ∞).
// Units      ε is added to the variance, in the square of x's unit. Default 1e-5 (PyTorch). G = 32 in the paper.
// Bound      group_norm_bound (cpu) and group_norm_gpu_bound, against group_norm_ref on the same inputs rounded to float;
//            see there for their origin.
// Source     Wu, He, "Group Normalization", arXiv 1803.08494 (2018), eq. 1, 2 and 7.
#pragma once

#include <span>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

struct GroupNormParams {
  double eps = 1e-5;
  tensor::Index groups = 32;  ///< G, a divisor of D
};

/// Float, u = 2⁻²⁴, of the magnitude |w_j| max|x̂| + |b_j|, the maximum over the group: groups of one row may differ in size,
/// and none is measured by another: rel and row of layer_norm_bound together, 18 u.
inline constexpr tensor::Bound group_norm_bound{.abs = tensor::rounded_once.abs, .rel = 0x1.2p-20};

/// Float, u = 2⁻²⁴, of the same magnitude: layer_norm_gpu_bound's rel and row together, 14 u. abs: x below 2⁻¹²⁶ may be flushed
/// to zero, and grows by 1/√ε.
inline constexpr tensor::Bound group_norm_gpu_bound{.abs = 0x1p-116, .rel = 0x1.cp-21};

void group_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const GroupNormParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void group_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const GroupNormParams&, tensor::View<T> y);

void group_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const GroupNormParams&, tensor::View<float> y);

/// Every stage rounded as in layer_norm_staged with two passes, group by group.
void group_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const GroupNormParams&, const tensor::Precision&,
                       tensor::View<double> y);

/// The columns of group k of G, in all rows.
template <class T>
tensor::View<T> columns_of_group(tensor::View<T> x, tensor::Index k, tensor::Index groups) {
  const tensor::Index width = x.cols / groups;
  return {x.data + k * width, x.rows, width, x.stride};
}
/// The same of one value for each column; empty where there is none.
template <class T>
std::span<T> columns_of_group(std::span<T> values, tensor::Index k, tensor::Index groups) {
  const std::size_t width = values.size() / static_cast<std::size_t>(groups);
  return values.subspan(static_cast<std::size_t>(k) * width, width);
}

}  // namespace orrery::norm
