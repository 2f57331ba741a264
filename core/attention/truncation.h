// Truncation of logits before a token is drawn: a set of the tokens keeps its logits, all others get −∞.
//
//   p_j = softmax(x/τ)_j, the tokens by falling x, equal ones by rising index
//
//   top_k     the first k of them; all where there are no more than k
//   top_p     the fewest of the first whose probabilities sum to p or more: the one that crosses p is kept, and so is at
//             least one; all where p = 1
//   min_p     those with p_j ≥ min_p · max p; equal ones stand or fall together
//
//   y_j = x_j of those that are kept, −∞ of the others
//
// The logits themselves are not divided by τ: softmax(y/τ) are the probabilities that are drawn from, renormalised.
//
// Shapes     x, y: N × V.
// Formats    cpu: order in T (float, double), probabilities in double. gpu: order by the bits of floats, probabilities in
//            float, their sums compensated. staged: x is rounded to storage, and what stays is found in double: programs
//            decide in float even where logits are bf16 (generate() of Hugging Face casts them), and nothing else rounds.
// Edges      NaN in a row: that row is NaN. −∞ stays −∞. +∞ has all probability: several of them share it. Empty: nothing
//            is written. y may be x on the cpu. −0 equals 0.
// Units      τ in x's unit, > 0; k ≥ 1; p and min_p in (0, 1] (else InvalidArgument).
// Ties       Sums of rounded probabilities meet p by accident where 10 equal logits meet p = 0.9, so every twin compares
//            with a tolerance t = 2⁻²⁰ min(p, 1 − p): the tokens cut have at most 1 − p + t. min_p: within 2⁻²⁰ of the
//            quotient. A sum nearer to that than rounding may fall either way, in all but name never on a round number.
// Bound      truncation_bound: values are copied.
// Source     top_k: Fan et al., arXiv 1805.04833; top_p: Holtzman et al., arXiv 1904.09751, eq. 2; min_p: Nguyen et al.,
//            arXiv 2407.01082, eq. 2.
#pragma once

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::attention {

struct TopK {
  tensor::Index k = 50;
};
struct TopP {
  double p = 0.9;
  double temperature = 1;
};
struct MinP {
  double p = 0.1;
  double temperature = 1;
};

/// Copied, or flushed where a device knows no subnormals.
inline constexpr tensor::Bound truncation_bound{.abs = 0x1p-126, .rel = 0x1p-52, .nmse = 0x1p-104};

/// Throw InvalidArgument for what is outside of Units.
void check_truncation(const TopK&);
void check_truncation(const TopP&);
void check_truncation(const MinP&);

/// How much probability may be cut: 1 − p + t.
double may_be_cut(const TopP&);
/// How far below the largest a logit may lie, with its tolerance; not above 0.
double least_difference(const MinP&);

void truncate_ref(tensor::View<const double> x, const TopK&, tensor::View<double> y);
void truncate_ref(tensor::View<const double> x, const TopP&, tensor::View<double> y);
void truncate_ref(tensor::View<const double> x, const MinP&, tensor::View<double> y);

/// T is float or double.
template <class T>
void truncate_cpu(tensor::View<const T> x, const TopK&, tensor::View<T> y);
template <class T>
void truncate_cpu(tensor::View<const T> x, const TopP&, tensor::View<T> y);
template <class T>
void truncate_cpu(tensor::View<const T> x, const MinP&, tensor::View<T> y);

/// `precision.accumulate` changes nothing.
void truncate_staged(tensor::View<const double> x, const TopK&, const tensor::Precision&,
                     tensor::View<double> y);
void truncate_staged(tensor::View<const double> x, const TopP&, const tensor::Precision&,
                     tensor::View<double> y);
void truncate_staged(tensor::View<const double> x, const MinP&, const tensor::Precision&,
                     tensor::View<double> y);

/// Rows of up to 2²⁴ logits, else Declined: counts are floats there.
void truncate_gpu(gpu::Device&, tensor::View<const float> x, const TopK&, tensor::View<float> y);
void truncate_gpu(gpu::Device&, tensor::View<const float> x, const TopP&, tensor::View<float> y);
void truncate_gpu(gpu::Device&, tensor::View<const float> x, const MinP&, tensor::View<float> y);

}  // namespace orrery::attention
