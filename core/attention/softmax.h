// Softmax of every row.
//
//   m = max_j x_j      e_j = exp((x_j − m)/τ)      y_j = e_j / Σ e
//   with a sink: m = max(sink, max_j x_j)          y_j = e_j / (exp((sink − m)/τ) + Σ e)
//
//   lse = m/τ + ln Σ e     the logarithm of what the weights are divided by, the sink's part in it: what attention over
//                         pieces of the keys is put together with
//
// A sink is a logit that no value stands behind: it takes what no key wants, and the row sums to less than 1. A sink of
// 0 is "softmax plus one"; gpt-oss learns one for each head.
//
// With a mask, row t is query t of N, and the sum is over what it sees: see mask.h.
//
// Shapes     x, y: N × S; lse: N × 1.
// Formats    cpu: stored and computed in T (float, double). In float: 2^((x − m) log₂e/τ) by a polynomial,
//            kept times 2³² so that none is subnormal before it is divided; their sum goes on in double after
//            every few terms. gpu: float throughout, the exponents and the sum in two floats. With a sink, and where log₂e/τ leaves 2⁻⁶⁰ … 2⁶⁰: in
//            double, rounded once.
// Edges      a row of −∞ only (fully masked) gives zeros; NaN in a row: that row is NaN; +∞ in a row:
//            NaN, as in IEEE arithmetic (∞ − ∞) and in PyTorch; empty: nothing is written. y may be x.
//            With a sink, a row of −∞ gives zeros too: the sink has all. What the mask hides is not read, a NaN there
//            does no harm, and its weight is 0; a row that sees nothing gives zeros.
//            lse: −∞ where the weights are zeros without a sink, sink/τ with one; +∞ where a +∞ is seen; NaN for NaN.
// Units      τ is the temperature, in x's unit; > 0 (else InvalidArgument), default 1.
// Bound      softmax_bound (cpu) and softmax_gpu_bound, against softmax_ref on the same inputs rounded
//            to float.
//            lse: softmax_lse_bound and softmax_lse_gpu_bound.
// Stages     of the staged twin: inputs rounded to storage, then x − m, the division by τ (not for τ = 1), exp, each
//            partial sum and each quotient rounded to one format: to accumulate, or to storage where the parameter
//            `stages` says so; the result to storage. lse: m/τ, ln Σ e and their sum to that format, then to storage.
// Source     Vaswani et al., arXiv 1706.03762, eq. 1; subtraction of the maximum: standard, makes every
//            exponent ≤ 0. Sinks: Xiao et al., arXiv 2309.17453; Miller, "Attention is off by one", 2023.
#pragma once

#include <optional>

#include "core/attention/mask.h"
#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::attention {

struct SoftmaxParams {
  double temperature = 1;
  std::optional<double> sink = {};  ///< a logit beside the row's, in x's unit
  Mask mask = {};
};

/// Where the staged softmax rounds: PyTorch and Hugging Face compute it in float (`dtype=torch.float32`), a plain
/// half-precision kernel in what it stores.
enum class SoftmaxStages { accumulate, storage };

/// Of a row that sees up to so many keys, in float, u = 2⁻²⁴. z = (x − m)/τ is rounded three times (difference, factor,
/// product), which costs e_j 3|z| u: |z| exp(z) is at most 1/e, so row is 1.1 u of the largest result. Where many keys have
/// one x these errors have one sign: the sum is off by 3 u times the mean of |z|, and no softmax of S keys has that above ln S.
/// rel: this, the polynomial in a weight and in the sum 2 u, the sum 6 u (six roundings at most), its inverse and the product
/// 2 u. nmse: the square of both, as one row may be all there is.
tensor::Bound softmax_bound(tensor::Index keys);

/// Float, u = 2⁻²⁴. rel: exp of our own (below 2 ulp; its exponent is in two floats, so |z| does not count) in a weight and in
/// the sum 8 u, the sum 7 u (compensated, but for its last additions), its reciprocal (2.5 ulp is all that GL promises) 5 u,
/// the product u. nmse: rel², as one row may be all there is. abs: e_j below 2⁻¹²⁶ may be flushed to zero.
inline constexpr tensor::Bound softmax_gpu_bound{.abs = 0x1p-125, .rel = 0x1.5p-20, .nmse = 0x1.b9p-40};

/// In double, rounded once. abs: where m/τ and ln Σ e cancel, their own roundings are left, `largest` |x/τ|.
tensor::Bound softmax_lse_bound(tensor::Index keys, double largest);
/// Float, u = 2⁻²⁴: the sum 15 u of itself as above, its logarithm (below 4 ulp) and the sum of the two 6 u of the larger.
tensor::Bound softmax_lse_gpu_bound(tensor::Index keys, double largest);

/// Throws InvalidArgument unless the temperature is above 0, the sink a number and the mask as mask.h says.
void check_softmax(const SoftmaxParams&, tensor::Index keys);

void softmax_ref(tensor::View<const double> x, const SoftmaxParams&, tensor::View<double> y);

/// T is float or double.
template <class T>
void softmax_cpu(tensor::View<const T> x, const SoftmaxParams&, tensor::View<T> y);

/// softmax_cpu where there is a sink.
template <class T>
void softmax_sink_cpu(tensor::View<const T> x, const SoftmaxParams&, tensor::View<T> y);

void softmax_gpu(gpu::Device&, tensor::View<const float> x, const SoftmaxParams&, tensor::View<float> y);

void softmax_staged(tensor::View<const double> x, const SoftmaxParams&, const tensor::Precision&,
                    SoftmaxStages, tensor::View<double> y);

void softmax_lse_ref(tensor::View<const double> x, const SoftmaxParams&, tensor::View<double> lse);
/// T is float or double.
template <class T>
void softmax_lse_cpu(tensor::View<const T> x, const SoftmaxParams&, tensor::View<T> lse);
void softmax_lse_gpu(gpu::Device&, tensor::View<const float> x, const SoftmaxParams&,
                     tensor::View<float> lse);
void softmax_lse_staged(tensor::View<const double> x, const SoftmaxParams&, const tensor::Precision&,
                        SoftmaxStages, tensor::View<double> lse);

}  // namespace orrery::attention
