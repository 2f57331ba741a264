// Instance normalisation: batch normalisation of each sample by itself.
//
//   sample b has the rows bT … (b+1)T − 1, its positions, and for each of them and each column, its channels,
//   μ_bj = (1/T) Σ_t x_btj      σ²_bj = (1/T) Σ_t (x_btj − μ_bj)²      y_btj = w_j (x_btj − μ_bj) / √(σ²_bj + ε) + b_j
//
// A sample's result depends on no other; a token's on all tokens of its text. It is group normalisation with one channel to a
// group of a sample whose channels are its rows: the same numbers, turned (see group_norm.h).
//
// Shapes     x, y: N × D, a sample's T positions one below the other; weight, bias: D, or empty for 1 and 0; T divides N.
//            PyTorch's InstanceNorm1d on (N, C, L) has channels before positions: this on its transpose (N, L, C).
// Formats    As batch_norm, sample by sample. Samples are spread over threads.
// Edges      N = 0 or D = 0: nothing is written. NaN or ±∞ in a column of a sample: that column of that sample is NaN, nothing else.
//            A constant column of a sample, so also T = 1: y = b (with ε = 0: NaN, 0 · ∞). PyTorch refuses T = 1 in training.
// Units      ε is added to the variance, in the square of x's unit. Default 1e-5 (PyTorch).
// Bound      instance_norm_bound (cpu) and instance_norm_gpu_bound, against instance_norm_ref on the same inputs rounded to
//            float: those of batch_norm, whose arithmetic it is.
// Source     Ulyanov, Vedaldi, Lempitsky, "Instance Normalization", arXiv 1607.08022, eq. 7.
#pragma once

#include <span>

#include "core/norm/batch_norm.h"

namespace orrery::norm {

struct InstanceNormParams {
  double eps = 1e-5;
  tensor::Index positions = 1;  ///< T, a divisor of N
};

inline constexpr tensor::Bound instance_norm_bound = batch_norm_bound;
/// As batch_norm_gpu_bound of the magnitude |w| max|x̂| + |b| of the column of the sample.
inline constexpr tensor::Bound instance_norm_gpu_bound = batch_norm_gpu_bound;

void instance_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const InstanceNormParams&, tensor::View<double> y);

/// T is float or double. y may be x.
template <class T>
void instance_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                       const InstanceNormParams&, tensor::View<T> y);

void instance_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                       std::span<const float> bias, const InstanceNormParams&, tensor::View<float> y);

/// Every stage rounded as in batch_norm_staged, sample by sample.
void instance_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                          std::span<const double> bias, const InstanceNormParams&, const tensor::Precision&,
                          tensor::View<double> y);

/// The rows of sample b.
template <class T>
tensor::View<T> rows_of_sample(tensor::View<T> x, tensor::Index b, tensor::Index positions) {
  return {x.data + b * positions * x.stride, positions, x.cols, x.stride};
}

}  // namespace orrery::norm
