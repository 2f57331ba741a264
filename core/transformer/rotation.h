// Rotary positions of a model's heads: the table of core/position/rope.h for so many tokens, and how it lies in a head.
#pragma once

#include <vector>

#include "core/position/rope.h"
#include "core/transformer/layout.h"

namespace orrery::transformer {

struct RotationConfig {
  double base = 10000;
  position::RopeLayout layout = position::RopeLayout::half;
  Index width = 0;  ///< columns of a head that turn; 0: all of them
  /// In place of base^(−2i/width): what a rule of core/position/rope_rules.h makes of them.
  std::vector<double> frequencies = {};
  double attention_factor = 1;
};

template <class T>
class Rotation {
 public:
  Rotation() = default;
  Rotation(RotationConfig config, Index head_width);

  bool exists() const { return !frequencies_.empty(); }
  /// Makes the table for positions 0 … length − 1, unless it is there.
  void prepare(Index length);
  /// x, y: (sequences · length) × (heads · width).
  void forward(View<const T> x, Index heads, View<T> y) const;
  void backward(View<const T> g, Index heads, View<T> dx) const;

 private:
  std::vector<double> frequencies_;
  double attention_factor_ = 1;
  position::RopeLayout layout_ = position::RopeLayout::half;
  Matrix<T> cos_, sin_;  ///< length × pairs
};

}  // namespace orrery::transformer
