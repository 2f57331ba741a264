// Attention scores before the softmax.
//
//   s[t, n] = scale · Σ_j q[t, j] k[n, j],   −∞ where the mask forbids key n to query t
//   causal: n ≤ t + S − T        sliding W: causal and t + S − T − n < W  (W counts the token itself)
//
// Shapes     q: T × d, k: S × d, s: T × S. The last query stands beside the last key (a cache of S − T
//            older keys).
// Formats    cpu: stored in T (float, double), products and sums in double, rounded once. gpu: float
//            throughout.
// Edges      empty q or k (T = 0 or S = 0): nothing is written; d = 0 with T, S > 0: zeros (and the
//            mask).
//            NaN in a query: its row; NaN in a key: its column, except where masked.
//            sliding with W < 1: InvalidArgument.
// Units      scale: default 1/√d.
// Bound      cpu: scores_bound(d). gpu: |s − ref| ≤ scores_gpu_bound(d) · scale·Σ|q_j k_j| + 2⁻¹²⁶,
//            because a dot product in float may cancel to nothing (the sum is scores_ref of |q| and
//            |k|); where that sum is beyond float's range a partial sum may meet ∞ − ∞, and the gpu
//            promises nothing.
// Source     Vaswani et al., arXiv 1706.03762, eq. 1.
#pragma once

#include <optional>

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::attention {

struct Mask {
  enum class Kind { none, causal, sliding } kind = Kind::none;
  tensor::Index window = 0;  ///< for sliding: how many keys a query sees, itself included; at least 1

  bool allows(tensor::Index query, tensor::Index key, tensor::Index queries, tensor::Index keys) const {
    const tensor::Index position = query + keys - queries;
    return kind == Kind::none || (key <= position && (kind == Kind::causal || position - key < window));
  }
};

struct ScoresParams {
  std::optional<double> scale;  ///< 1/√d when not given
  Mask mask;
};

/// Rounded once; row: products of floats are exact in double and their sum loses at most d·2⁻⁵³ of
/// Σ|q_j k_j|, which is taken to be at most 8d times the row's largest score (√d is usual; a row whose every
/// score cancels needs more room).
constexpr tensor::Bound scores_bound(tensor::Index d) {
  return {.abs = tensor::rounded_once.abs,
          .rel = tensor::rounded_once.rel,
          .nmse = tensor::rounded_once.nmse,
          .row = 0x1p-50 * static_cast<double>(d) * static_cast<double>(d)};
}

/// Relative to scale·Σ|q_j k_j|, u = 2⁻²⁴: d additions one after the other lose √d·u in all likelihood
/// (Higham, Mary, SIAM J. Sci. Comput. 41, 2019; the worst case d·u needs every rounding to go the same way);
/// products, scale and store 3 u. llvmpipe uses 57 % of it.
double scores_gpu_bound(tensor::Index d);

/// What the dot products are multiplied by. Throws InvalidArgument for a window that sees nothing.
double scores_scale(const ScoresParams&, tensor::Index d);

void scores_ref(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams&,
                tensor::View<double> s);

/// T is float or double.
template <class T>
void scores_cpu(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams&, tensor::View<T> s);

void scores_gpu(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k, const ScoresParams&,
                tensor::View<float> s);

}  // namespace orrery::attention
