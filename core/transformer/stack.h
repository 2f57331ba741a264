// An encoder or a decoder: tokens become vectors, blocks one behind the other, a norm at the end.
//
//   x₀ = s E[token] + P[position]        E is shared by all stacks of a model; P learned, sinusoidal or none
//   x₀ ← N(x₀) where there is a norm behind the embedding (Peri-LN, BERT)
//   x_l = Block_l(x_{l−1}),  y = N(x_L) where there is a norm at the end
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/transformer/block.h"
#include "core/transformer/position_bias.h"

namespace orrery::transformer {

enum class PositionTable { none, learned, sinusoidal };

struct StackConfig {
  Index width = 0, layers = 0;
  bool scaled_embedding = false;  ///< s = √D
  PositionTable positions = PositionTable::none;
  Index length = 0;  ///< rows of a learned table
  bool embedding_norm = false, final_norm = true;
  BlockConfig block = {};
  std::optional<RotationConfig> rotation = {};
  BiasConfig bias = {};
};

/// Tokens of B sequences of one length, and which of them are none.
struct Tokens {
  Index sequences = 0, length = 0;
  std::span<const Index> ids = {};
  std::span<const std::uint8_t> padding = {};  ///< 0: padding; empty: all are tokens
};

/// Who looks on as a stack goes forward and back: what is given here is called at each layer, and may throw to leave the pass.
template <class T>
struct StackWatch {
  std::function<void(std::size_t layer)> forward = {};  ///< behind that block
  /// `gradient` is that of the loss by x_layer, which the block reads; with `layer` as many as there are blocks, by what the
  /// last one leaves.
  std::function<void(std::size_t layer, View<const T> gradient)> backward = {};
};

template <class T>
struct StackTape {
  Matrix<T> positions;         ///< the rows that are added: length × D
  Matrix<T> embedded, normed;  ///< x₀ before and behind its norm
  Rotation<T> rotation;
  Matrix<T> bias;
  std::vector<BlockTape<T>> layers;
  Matrix<T> out;
  StackWatch<T> watch = {};

  template <class Each>
  void each(const std::string& path, Each f) const {
    f(path + ".positions", positions);
    f(path + ".embedded", embedded);
    f(path + ".embedded_normed", normed);
    f(path + ".bias", bias);
    for (std::size_t l = 0; l < layers.size(); ++l) layers[l].each(path + ".layers." + std::to_string(l), f);
    f(path + ".out", out);
  }
};

template <class T>
struct StackScratch {
  BlockScratch<T> block;
  Matrix<T> dbias, dtable;
};

template <class T>
struct Stack {
  StackConfig config;
  Slot positions;
  Norm<T> embedding_norm, final_norm;
  PositionBias<T> bias;
  std::vector<Block<T>> blocks;

  static Stack make(Layout&, const std::string& path, const StackConfig&);

  /// `table` is E. The result is tape.out, or without a norm at the end that of the last block: result().
  void forward(Values<T>, Slot table, const Tokens&, const Tokens& of_memory, View<const T> memory,
               StackTape<T>&) const;
  View<const T> result(const StackTape<T>&) const;
  /// `d` is the gradient of the result, and is overwritten. To dmemory is added.
  void backward(Values<T>, Slot table, const Tokens&, const Tokens& of_memory, View<const T> memory,
                const StackTape<T>&, Gradient<T>, StackScratch<T>&, View<T> d, View<T> dmemory) const;

 private:
  View<const T> embedded(const StackTape<T>&) const;
  BlockInputs<T> inputs(const Tokens&, const Tokens& of_memory, View<const T> memory,
                        const StackTape<T>&) const;
  void embed(Values<T>, Slot table, const Tokens&, StackTape<T>&) const;
};

}  // namespace orrery::transformer
