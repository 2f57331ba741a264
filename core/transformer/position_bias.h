// Position as a bias of the scores: what every head adds for the distance of key and query. One for all layers of a stack, as
// T5 has it.
//
//   alibi   −k_h |m − n|, nothing learned                           core/position/alibi.h
//   t5      table[bucket(n − m), h]                                 core/position/t5_bias.h
//   fire    a small network of the distance                         core/position/fire.h
//
// Shapes     bias: (H L) × L, head h from row h L on; queries and keys are the same tokens. What is hidden is the mask's
//            business, so that a causal model has the same numbers in it as one that is not, but for T5's buckets.
#pragma once

#include "core/position/fire.h"
#include "core/position/t5_bias.h"
#include "core/transformer/layout.h"

namespace orrery::transformer {

enum class BiasKind { none, alibi, t5, fire };

struct BiasConfig {
  BiasKind kind = BiasKind::none;
  position::T5Buckets t5 = {};
  position::FireParams fire = {};
  Index fire_width = 32;  ///< of the hidden layers, M
  bool fire_deep = true;  ///< two of them
};

template <class T>
struct PositionBias {
  BiasConfig config;
  Index heads = 0;
  Slot table;                                   ///< t5: buckets × heads
  Slot w_in, b_in, w_mid, b_mid, w_out, b_out;  ///< fire

  static PositionBias make(Layout&, const std::string& path, Index heads, const BiasConfig&);

  bool exists() const { return config.kind != BiasKind::none; }
  bool learned() const { return table.exists() || w_in.exists(); }
  void forward(Values<T>, Index length, Matrix<T>& bias) const;
  void backward(Values<T>, View<const T> dbias, Gradient<T>) const;

 private:
  position::FireWeights network(Values<T>) const;
};

}  // namespace orrery::transformer
