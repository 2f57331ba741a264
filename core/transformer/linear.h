// A linear map, as PyTorch's Linear keeps it.
//
//   y = x Wᵀ + b        dW = gᵀ x, db = Σ g (over the tokens), dx = g W
//
// Shapes     x: N × inputs, y: N × outputs, W: outputs × inputs, b: outputs or none.
// In every piece of this folder: gradients of what is learned are added to, so that arrays with two uses (a tied head, one
// table for all layers) need no rule of their own; gradients of inputs are overwritten. An empty Gradient: nobody asks what
// is learned, and only the way back to the input is computed.
#pragma once

#include "core/transformer/layout.h"

namespace orrery::transformer {

template <class T>
struct Linear {
  Slot weight, bias;

  static Linear make(Layout&, const std::string& path, Index inputs, Index outputs, bool bias, Role);

  Index outputs() const { return weight.rows; }
  void forward(Values<T>, View<const T> x, View<T> y) const;
  /// An empty dx: nobody asks for it.
  void backward(Values<T>, View<const T> x, View<const T> g, Gradient<T>, View<T> dx) const;
};

}  // namespace orrery::transformer
