// Layer normalisation.
//
//   μ = (1/D) Σ_j x_j      σ² = (1/D) Σ_j (x_j − μ)²      y_j = w_j (x_j − μ) / √(σ² + ε) + b_j
//   annotated:             s² = (1/(D−1)) Σ_j (x_j − μ)²  y_j = w_j (x_j − μ) / (s + ε) + b_j
//
// Estimator  How μ and σ² are found. In exact arithmetic all three agree:
//              two_pass   μ, then the mean of (x − μ)²
//              one_pass   the mean of x² less μ²
//              welford    both grow with each x: δ = x − μ, μ += δ/k, M += δ (x − μ)
//            ref always takes two passes: it is what the others try to reach. cpu takes the one asked for,
//            in double; staged takes it in the formats that are asked for, where the difference is a lesson.
//            gpu takes two passes and declines the others.
// Shapes     x, y: N × D (a token is a row); weight, bias: D, or empty for 1 and 0.
// Formats    cpu: stored and computed in T (float, double). In float: sums of x − c and its square, c near
//            the mean (of the first values; where that is off by 0.7 σ, again with the mean), which go on in
//            double after every few terms; x − μ with μ in two floats, so a large common mean costs no digit.
//            A row whose squares leave float (outside 2⁻⁸⁰ … 2¹⁰⁰ in the mean, or not finite) and one of fewer
//            than 16 columns are computed in double and rounded once.
//            In double, ref too: centred twice (x − μ, then what the rounding of μ leaves in the mean), and rows whose
//            squares leave double are scaled by a power of two.
//            gpu: float throughout. It centres twice (subtract the rounded mean, then the mean of what
//            is left), because x − μ in one step would carry the rounding of μ; and it scales the row
//            by a power of two, because squares overflow from 2⁶⁴ on.
// Edges      N = 0 or D = 0: nothing is written. NaN or ±∞ in a row: that row is NaN, no other.
//            A constant row: y = b (with ε = 0: NaN, 0 · ∞). annotated with D = 1: NaN, s is 0/0.
//            A one-pass variance may be negative: below −ε it gives NaN.
// Units      ε is added to the variance, in the square of x's unit (annotated: to s, in x's unit). Default
//            1e-5 (PyTorch); 1e-12 in BERT, 1e-6 in The Annotated Transformer.
// Bound      layer_norm_bound, layer_norm_estimator_loss (cpu) and layer_norm_gpu_bound, against layer_norm_ref on the same inputs
//            rounded to float; see there for their origin.
// Source     Ba, Kiros, Hinton, "Layer Normalization", arXiv 1607.06450, eq. 3 and 4.
//            Annotated: Rush, "The Annotated Transformer", 2018. Estimators: Welford, Technometrics 4 (1962);
//            Chan, Golub, LeVeque, "Algorithms for computing the sample variance", 1983.
#pragma once

#include <span>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

enum class Estimator { two_pass, one_pass, welford };
enum class LayerNormVariant { standard, annotated };

struct LayerNormParams {
  double eps = 1e-5;
  Estimator estimator = Estimator::two_pass;
  LayerNormVariant variant = LayerNormVariant::standard;
};

/// Float, u = 2⁻²⁴. rel: the variance 4.5 u (the rounding of x − c 3 u, six roundings on the way into the sum, all halved by
/// the root), the quotient 1/σ, its product with w, x − upper, − rest, and the last product 5 u. row: what the mean loses,
/// six roundings of values that are 1.2 σ from c in the mean, 7 u; and the sum w·x̂ + b, u, which may cancel, but hardly in
/// all of sixteen columns and more. nmse: the square of both. Elements share μ and σ, and one that is far above the others
/// is nearly all of its row: their errors do not average out.
inline constexpr tensor::Bound layer_norm_bound{
    .abs = tensor::rounded_once.abs, .rel = 0x1.4p-21, .nmse = 0x1.44p-40, .row = 0x1p-21};

/// What the other estimators cost the cpu beyond that, as a fraction of the row's largest result: half of what the
/// variance loses relative to σ² + ε. With u = 2⁻⁵³ and κ² = (σ² + μ²)/(σ² + ε), one_pass loses √D u κ² and
/// welford √D u κ (Chan, Golub, LeVeque 1983; D in the worst case, √D in all likelihood: Higham, Mary 2019),
/// each twice over: two sums. 0 for two_pass. The largest over the finite rows.
double layer_norm_estimator_loss(tensor::View<const double> x, const LayerNormParams&);

/// Float, u = 2⁻²⁴. rel: squares u and their sum 7 u (compensated, but for its last five additions), its division by D and
/// + ε 2 u, all halved by the root; root and quotient 2 u where they are rounded correctly (2.5 ulp is all that GL promises),
/// three products 3 u. row: centring in two steps leaves 2 u of the largest deviation, the sum w·x̂ + b another u. nmse: the
/// square of both. abs: x below 2⁻¹²⁶ may be flushed to zero, and grows by 1/√ε.
inline constexpr tensor::Bound layer_norm_gpu_bound{
    .abs = 0x1p-116, .rel = 0x1.4p-21, .nmse = 0x1.88p-41, .row = 0x1p-22};

void layer_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const LayerNormParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void layer_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                    const LayerNormParams&, tensor::View<T> y);
/// The same by plain loops, for any estimator and variant: where layer_norm_cpu goes with all but the default.
template <class T>
void layer_norm_variant_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                            const LayerNormParams&, tensor::View<T> y);

/// Every stage rounded: x, weight and bias to storage; D stays a number; then, each result to accumulate,
///   ε; the sums of the estimator from left to right, as naive code has them; their division by D (annotated:
///   the variance times D/(D−1), which is rounded to accumulate first); the root; 1/root (annotated: s + ε); x − μ;
///   standard: (x − μ)·rstd, ·w, + b        annotated: w·(x − μ), / (s + ε), + b
/// and y to storage.
void layer_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const LayerNormParams&, const tensor::Precision&,
                       tensor::View<double> y);

/// Takes two passes; throws Declined for another estimator.
void layer_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const LayerNormParams&, tensor::View<float> y);

}  // namespace orrery::norm
