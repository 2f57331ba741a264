// The loss of a language model: the mean of −ln p(target) over the tokens that have a target.
//
//   p_n = softmax(z_n),  ℓ_n = −ln p_n,target = m − ln p_nm − z_n,target      m = max_v z_nv, p_nm its weight, at least 1/V
//   loss = (1/N') Σ_n ℓ_n        N' targets
//   dz_nv = (p_nv − [v = target])/N'
//
// Shapes     z, p: N × V; targets: N, no_target where a token has none (padding): it counts nowhere, and its dz is 0.
// Formats    p in T, by the op; ℓ of it in double, and their sum, in the order of the tokens.
// Edges      no target at all: the loss is 0, and so is dz.
#pragma once

#include <vector>

#include "core/transformer/layout.h"

namespace orrery::transformer {

inline constexpr Index no_target = -1;

struct Loss {
  double mean = 0;
  Index counted = 0;                  ///< N'
  std::vector<double> by_token = {};  ///< ℓ; 0 where there is no target
};

template <class T>
Loss cross_entropy(View<const T> logits, std::span<const Index> targets, View<T> probabilities);
/// dlogits may be the probabilities.
template <class T>
void cross_entropy_vjp(View<const T> probabilities, std::span<const Index> targets, Index counted,
                       View<T> dlogits);

}  // namespace orrery::transformer
