// The derivatives of a feed-forward network, g the gradient of its result.
//
//   plain   a = x W1 + b1, h = f(a):      dh = g W2ᵀ, da = dh ⊙ f'(a)
//           dW2 = hᵀ g, db2 = Σ g, dW1 = xᵀ da, db1 = Σ da, dx = da W1ᵀ        (sums over the tokens)
//   gated   a = x Wgate, u = x Wup, h = f(a) ⊙ u:     dh = g Wdownᵀ, da = dh ⊙ u ⊙ f'(a), du = dh ⊙ f(a)
//           dWdown = hᵀ g, dWgate = xᵀ da, dWup = xᵀ du, dx = da Wgateᵀ + du Wupᵀ, and the biases Σ g, Σ da, Σ du;
//           limits as in gate.h
#pragma once

#include "core/activation/feed_forward.h"

namespace orrery::activation {

/// In double, whatever the format of the arrays.
struct FeedForwardGradients {
  tensor::Matrix<double> x, w1, w2, b1, b2;  ///< b1 and b2 are rows
};
struct GatedFeedForwardGradients {
  tensor::Matrix<double> x, gate, up, down, gate_bias, up_bias, down_bias;  ///< the biases are rows
};

/// T is float or double: the format of the inputs. Computed in double; the caller rounds.
template <class T>
FeedForwardGradients feed_forward_vjp(tensor::View<const T> x, const FeedForwardWeights<T>&,
                                      tensor::View<const T> g, const ActivationParams&);
template <class T>
GatedFeedForwardGradients gated_feed_forward_vjp(tensor::View<const T> x, const GatedFeedForwardWeights<T>&,
                                                 tensor::View<const T> g, const Gate&);

}  // namespace orrery::activation
