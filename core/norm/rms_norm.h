// Root-mean-square normalisation.
//
//   inside:   y_j = (o + w_j) x_j / √((1/D) Σ x² + ε) + b_j        outside:  … / (√((1/D) Σ x²) + ε) + b_j
//   partial p: the mean square of the first k = max(1, ⌊p D⌋) columns alone divides all of them (pRMSNorm)
//
//            The paper and LLaMA have no bias b; some code adds one.
//
// Shapes     x, y: N × D (a token is a row); weight, bias: D, or empty for a gain of 1 and no bias.
// Formats    cpu: stored and computed in T (float, double). In float the sum of squares goes on in double
//            after every few terms; a row whose squares leave float (mean square outside 2⁻⁸⁰ … 2¹⁰⁰, or
//            not finite) is computed in double and rounded once. In double a row whose squares leave double is
//            scaled by a power of two. gpu: float throughout, with a compensated sum; it scales the row
//            by a power of two, because squares overflow from 2⁶⁴ on.
// Edges      N = 0 or D = 0: nothing is written. NaN in a row: that row is NaN, no other.
//            ±∞ in a row: NaN there, zeros (b) in the rest of the row.
//            partial: this of the first k columns; NaN and ±∞ in the others stay where they are.
//            A zero row gives zeros (b) when ε > 0 (with ε = 0: NaN, 0 · ∞).
// Units      ε inside is in the square of x's unit (LLaMA 1e-5, 1e-6); outside in x's unit (the
//            reference code: 1e-8).
//            o is the weight offset: 0, or 1 for Gemma, whose stored weight is the gain minus 1. It is
//            added to a given weight only; an empty weight is a gain of 1.
// Casts      Where the staged twin goes back to storage: llama before the gain, gemma after it. All other
//            twins round once, at the end. The bias is added where the gain is multiplied.
// Bound      rms_norm_bound (cpu) and rms_norm_gpu_bound, against rms_norm_ref on the same inputs
//            rounded to float; see there for their origin. With a bias: rms_norm_with_bias of them.
// Source     Zhang, Sennrich, "Root Mean Square Layer Normalization", arXiv 1910.07467, eq. 4;
//            pRMSNorm: section 4.2 (k = 6.25 % there).
#pragma once

#include <span>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::norm {

enum class EpsPlace { inside, outside };
enum class CastOrder { llama, gemma };

struct RmsNormParams {
  double eps = 1e-6;
  EpsPlace eps_place = EpsPlace::inside;
  double weight_offset = 0;
  double partial = 1;  ///< p, in [0, 1]; one column at least
  CastOrder cast = CastOrder::llama;
};

/// k: how many columns the root mean square is taken over.
constexpr tensor::Index counted_columns(tensor::Index D, const RmsNormParams& params) {
  const auto k = static_cast<tensor::Index>(params.partial * static_cast<double>(D));
  return k < 1 ? 1 : k;
}

/// Float, u = 2⁻²⁴: no subtraction, so nothing cancels. A square takes part in at most six roundings on its
/// way into the sum, which the root halves: 3 u; the quotient 1/rms, o + w, their product and that with x: 4 u.
/// nmse: rel². Elements share 1/rms, and one that is far above the others is nearly all of its row: their errors do not
/// average out. abs: half a unit among the subnormals, and as much for the double.
inline constexpr tensor::Bound rms_norm_bound{.abs = 0x1p-149, .rel = 0x1.cp-22, .nmse = 0x1.88p-43};

/// Float, u = 2⁻²⁴: squares u and their sum 7 u (compensated, but for its last five additions), its division by k and + ε 2 u,
/// all halved by the root; root and quotient 2 u where they are rounded correctly (2.5 ulp is all that GL promises), o + w and
/// three products 4 u. nmse: rel². abs: x below 2⁻¹²⁶ may be flushed to zero, and grows by 1/√ε.
inline constexpr tensor::Bound rms_norm_gpu_bound{.abs = 0x1p-116, .rel = 0x1.6p-21, .nmse = 0x1.e4p-42};

/// With a bias, which may cancel what it is added to: of the magnitude |(o + w) x̂| + |b|, its sum rounds once more.
constexpr tensor::Bound rms_norm_with_bias(tensor::Bound bound) {
  return {.abs = bound.abs, .rel = bound.rel + 0x1p-24};
}

void rms_norm_ref(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
                  const RmsNormParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads. y may be x.
template <class T>
void rms_norm_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                  const RmsNormParams&, tensor::View<T> y);
/// The same by plain loops, for any part: where rms_norm_cpu goes unless p is 1.
template <class T>
void rms_norm_partial_cpu(tensor::View<const T> x, std::span<const T> weight, std::span<const T> bias,
                          const RmsNormParams&, tensor::View<T> y);

/// Every stage rounded: x, weight and bias to storage; k stays a number; then, each result to accumulate,
///   ε; x²; their sum from left to right, as naive code has it; / k; + ε and 1/√ (outside: √, + ε, 1/); x·r
///   llama: x·r to storage; o + w to storage; their product to storage; + b to storage
///   gemma: o + w; (o + w)·(x·r); + b; that to storage
/// LLaMA's code is (x.float() * rsqrt(…)).type_as(x) * weight, Gemma's (x_norm * (1 + weight.float())).type_as(x).
void rms_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                     std::span<const double> bias, const RmsNormParams&, const tensor::Precision&,
                     tensor::View<double> y);

void rms_norm_gpu(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                  std::span<const float> bias, const RmsNormParams&, tensor::View<float> y);

// Without a bias, as the paper has it.

inline void rms_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                         const RmsNormParams& params, tensor::View<double> y) {
  rms_norm_ref(x, weight, {}, params, y);
}
template <class T>
void rms_norm_cpu(tensor::View<const T> x, std::span<const T> weight, const RmsNormParams& params,
                  tensor::View<T> y) {
  rms_norm_cpu<T>(x, weight, {}, params, y);
}
inline void rms_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                            const RmsNormParams& params, const tensor::Precision& precision,
                            tensor::View<double> y) {
  rms_norm_staged(x, weight, {}, params, precision, y);
}
inline void rms_norm_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
                         const RmsNormParams& params, tensor::View<float> y) {
  rms_norm_gpu(device, x, weight, {}, params, y);
}

}  // namespace orrery::norm
