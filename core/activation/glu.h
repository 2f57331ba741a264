// Gated linear units: one half of each token, activated, lets the other half pass.
//
//   y = f(a) ⊙ b,   (a, b) the halves of the last axis, one behind the other or column by column
//
// gate.h says what else models do with them. Which half is activated is no convention that programs share: fused
// projections of LLaMA's kind (vLLM, Megatron) activate the first, PyTorch's glu and x-transformers the second. Both give
// numbers that look right. Nor is how they lie: the fused projections of gpt-oss alternate, a in the even columns and b in
// the odd ones.
//
// Shapes     x: N × 2F; y: N × F.
// Formats    cpu: stored in T (float, double), computed in double and rounded once; but in float, f by relu, silu, gelu and
//            gelu_tanh is that of activation.h, and is rounded before the product. gpu: float throughout.
//            staged: x rounded to storage; f(a) and b + c rounded to accumulate, and to storage where each is an op of
//            its own (not `fused`); the product to accumulate, then to storage.
// Edges      NaN and infinities: as f has them, times b (so 0 · ∞ is NaN). N = 0 or F = 0: nothing is written.
// Bound      glu_bound (cpu) and glu_gpu_bound, against glu_ref on the same inputs rounded to float.
// Source     Dauphin et al., arXiv 1612.08083 (σ); Shazeer, 2002.05202 (ReGLU, GEGLU, SwiGLU).
#pragma once

#include "core/activation/gate.h"

namespace orrery::activation {

enum class Half { first, second };

struct GluParams {
  Gate gate = Kind::sigmoid;
  Half gated = Half::first;  ///< the half that f is applied to
  bool interleaved = false;  ///< column by column: the first half has the even ones
  bool fused = false;        ///< staged only: f(a) is not stored before the product
};

/// Where the halves of a row of 2F lie.
class Halves {
 public:
  Halves(const GluParams& params, tensor::Index F)
      : step_(params.interleaved ? 2 : 1),
        a_(params.gated == Half::first ? 0 : (params.interleaved ? 1 : F)),
        b_((params.interleaved ? 1 : F) - a_) {}
  tensor::Index a(tensor::Index j) const { return a_ + j * step_; }
  tensor::Index b(tensor::Index j) const { return b_ + j * step_; }

 private:
  tensor::Index step_, a_, b_;
};

/// The kinds that have a loop of their own over floats, where nothing but f is done with the halves. The others are computed
/// in double here, f and product at once.
bool is_rounded_before_the_product(const GluParams&);

/// The activation's, and a product's rounding where f(a) was rounded before it. abs: where f(a) is subnormal, b multiplies
/// what its last bit lost.
tensor::Bound glu_bound(const GluParams&, double largest_b);

/// The activation's, a product, and u each for a limit that is no float and for adding the offset. abs: an f(a) that is
/// flushed to zero takes b with it.
tensor::Bound glu_gpu_bound(const GluParams&, double largest_b);

void glu_ref(tensor::View<const double> x, const GluParams&, tensor::View<double> y);

/// T is float or double. Rows are spread over threads.
template <class T>
void glu_cpu(tensor::View<const T> x, const GluParams&, tensor::View<T> y);

void glu_gpu(gpu::Device&, tensor::View<const float> x, const GluParams&, tensor::View<float> y);

void glu_staged(tensor::View<const double> x, const GluParams&, const tensor::Precision&,
                tensor::View<double> y);

}  // namespace orrery::activation
