// Gated linear units: one half of each token, activated, lets the other half pass.
//
//   y = f(a) ⊙ b,   (a, b) the halves of the last axis
//
// Which half is activated is no convention that programs share: fused projections of LLaMA's kind (vLLM, Megatron)
// activate the first, PyTorch's glu and x-transformers the second. Both give numbers that look right.
//
// Shapes     x: N × 2F; y: N × F.
// Formats    cpu: stored in T (float, double), computed in double and rounded once; but in float, f by relu, silu, gelu and
//            gelu_tanh is that of activation.h, and is rounded before the product. gpu: float throughout.
//            staged: x rounded to storage; f(a) rounded to accumulate, and to storage where the activation is an op of
//            its own (not `fused`); the product to accumulate, then to storage.
// Edges      NaN and infinities: as f has them, times b (so 0 · ∞ is NaN). N = 0 or F = 0: nothing is written.
// Bound      glu_bound (cpu) and glu_gpu_bound, against glu_ref on the same inputs rounded to float.
// Source     Dauphin et al., arXiv 1612.08083 (σ); Shazeer, 2002.05202 (ReGLU, GEGLU, SwiGLU).
#pragma once

#include "core/activation/activation.h"

namespace orrery::activation {

enum class Half { first, second };

struct GluParams {
  ActivationParams gate = Kind::sigmoid;  ///< f
  Half gated = Half::first;               ///< the half that f is applied to
  bool fused = false;                     ///< staged only: f(a) is not stored before the product
};

/// The kinds that have a loop of their own over floats. The others are computed in double here, f and product at once.
bool is_rounded_before_the_product(Kind f);

/// The activation's, and a product's rounding where f(a) was rounded before it. abs: where f(a) is subnormal, b multiplies
/// what its last bit lost.
tensor::Bound glu_bound(const GluParams&, double largest_b);

/// The activation's, and a product. abs: an f(a) that is flushed to zero takes b with it.
tensor::Bound glu_gpu_bound(const GluParams&, double largest_b);

void glu_ref(tensor::View<const double> x, const GluParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads.
template <class T>
void glu_cpu(tensor::View<const T> x, const GluParams&, tensor::View<T> y);

void glu_gpu(gpu::Device&, tensor::View<const float> x, const GluParams&, tensor::View<float> y);

void glu_staged(tensor::View<const double> x, const GluParams&, const tensor::Precision&,
                tensor::View<double> y);

}  // namespace orrery::activation
