// The feed-forward network of a block, plain or gated, with the activation's own derivative.
//
//   plain   y = Down(f(Up x))              gated   y = Down(f(Gate x) ⊙ Up x)
//
// What core/activation/feed_forward.h has in one op stands here in steps, because the steps are kept: for the way back, and to
// be seen.
// Shapes     x, y: N × D; hidden: N × F, gated N × 2F with the gate in the first half.
// Source     Vaswani et al., arXiv 1706.03762, eq. 2; Shazeer, 2002.05202.
#pragma once

#include "core/activation/activation.h"
#include "core/transformer/linear.h"

namespace orrery::transformer {

struct FeedForwardConfig {
  Index width = 0, hidden = 0;
  activation::ActivationParams activation = activation::Kind::gelu;
  bool gated = false;
  bool bias = true;
};

template <class T>
struct FeedForwardTape {
  Matrix<T> hidden, activated;

  template <class Each>
  void each(const std::string& path, Each f) const {
    f(path + ".hidden", hidden);
    f(path + ".activated", activated);
  }
};

template <class T>
struct FeedForwardScratch {
  Matrix<T> dactivated, dhidden, dx;
};

template <class T>
struct FeedForward {
  FeedForwardConfig config;
  Linear<T> gate, up, down;

  static FeedForward make(Layout&, const std::string& path, const FeedForwardConfig&);

  void forward(Values<T>, View<const T> x, FeedForwardTape<T>&, View<T> y) const;
  void backward(Values<T>, View<const T> x, const FeedForwardTape<T>&, View<const T> g, Gradient<T>,
                FeedForwardScratch<T>&, View<T> dx) const;
};

}  // namespace orrery::transformer
