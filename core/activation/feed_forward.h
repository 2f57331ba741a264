// The feed-forward network of a block, plain and gated. f is any activation of activation.h.
//
//   plain   y = f(x W1 + b1) W2 + b2
//   gated   y = (f(x Wgate + bgate) ⊙ (x Wup + bup)) Wdown + bdown        f and ⊙ with all that gate.h has
//
// Shapes     x, y: N × D; W1, Wgate, Wup: D × F; W2, Wdown: F × D; b1, bgate, bup: F, b2, bdown: D, or empty for none.
//            (PyTorch's Linear and published checkpoints keep the transpose, F × D for W1: who reads them turns them.)
// Formats    cpu: stored and computed in T (float, double), each sum in the order of the inner axis; in float, what is below
//            2⁻¹²⁶ in the hidden layer is zero.
//            gpu: float throughout, each product in tiles of 16.
//            staged: x and weights rounded to storage; every product and every sum to accumulate, in the order of the
//            inner axis, then the bias; stored; f rounded to accumulate and stored; the gate's product likewise; the
//            second matrix product as the first.
// Edges      NaN in a token: its row. N = 0 or D = 0: nothing is written; F = 0: b2, or zeros.
// Bound      feed_forward_bound.h, for float on the cpu and on the gpu, against feed_forward_ref on the same floats.
// Source     Vaswani et al., arXiv 1706.03762, eq. 2; Shazeer, 2002.05202 (gated).
#pragma once

#include <span>

#include "core/activation/gate.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::activation {

/// Views: whoever makes them keeps the arrays alive.
template <class T>
struct FeedForwardWeights {
  tensor::View<const T> w1, w2;
  std::span<const T> b1 = {}, b2 = {};
};

template <class T>
struct GatedFeedForwardWeights {
  tensor::View<const T> gate, up, down;
  std::span<const T> gate_bias = {}, up_bias = {}, down_bias = {};
};

void feed_forward_ref(tensor::View<const double> x, const FeedForwardWeights<double>&,
                      const ActivationParams&, tensor::View<double> y);
void gated_feed_forward_ref(tensor::View<const double> x, const GatedFeedForwardWeights<double>&, const Gate&,
                            tensor::View<double> y);

/// T is float or double.
template <class T>
void feed_forward_cpu(tensor::View<const T> x, const FeedForwardWeights<T>&, const ActivationParams&,
                      tensor::View<T> y);
template <class T>
void gated_feed_forward_cpu(tensor::View<const T> x, const GatedFeedForwardWeights<T>&, const Gate&,
                            tensor::View<T> y);

void feed_forward_gpu(gpu::Device&, tensor::View<const float> x, const FeedForwardWeights<float>&,
                      const ActivationParams&, tensor::View<float> y);
void gated_feed_forward_gpu(gpu::Device&, tensor::View<const float> x, const GatedFeedForwardWeights<float>&,
                            const Gate&, tensor::View<float> y);

void feed_forward_staged(tensor::View<const double> x, const FeedForwardWeights<double>&,
                         const ActivationParams&, const tensor::Precision&, tensor::View<double> y);
void gated_feed_forward_staged(tensor::View<const double> x, const GatedFeedForwardWeights<double>&,
                               const Gate&, const tensor::Precision&, tensor::View<double> y);

}  // namespace orrery::activation
