// Attention scores before the softmax.
//
//   s[t, n] = scale · Σ_j q[t, j] k[n, j],   −∞ where the mask forbids key n to query t
//   causal: n ≤ t + S − T        sliding W: causal and t + S − T − n < W  (W counts the token itself)
//
// Shapes     q: T × d, k: S × d, s: T × S. The last query stands beside the last key (a cache of S − T older keys).
// Formats    cpu: stored and accumulated in T; gpu: float.
// Edges      empty q or k: nothing is written; d = 0 with T, S > 0: zeros (and the mask).
//            NaN in a query: its row; NaN in a key: its column, except where masked.
// Units      scale: default 1/√d.
// Bound      scores_bound(d): |s − ref| ≤ bound · scale·Σ|q_j k_j|, because a dot product may cancel to nothing.
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

void scores_ref(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams&,
                tensor::View<double> s);

/// T is float or double.
template <class T>
void scores_cpu(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams&, tensor::View<T> s);

void scores_gpu(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k, const ScoresParams&,
                tensor::View<float> s);

}  // namespace orrery::attention
