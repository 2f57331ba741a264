// One layer: attention and a feed-forward network, each with its residual connection; in the decoder of an encoder–decoder,
// attention to the encoder's result between the two.
//
//   in a row                x₁ = S(x), x₂ = C(x₁, memory), y = F(x₂)        S, C, F by residual.h
//   parallel                y = x + A(N x) + M(N' x)                        GPT-NeoX (Black et al., arXiv 2204.06745)
//   parallel_one_norm       y = x + A(N x) + M(N x)                         PaLM (Chowdhery et al., 2204.02311), GPT-J
#pragma once

#include "core/transformer/attention.h"
#include "core/transformer/feed_forward.h"
#include "core/transformer/residual.h"

namespace orrery::transformer {

struct BlockConfig {
  Placement placement = Placement::pre;
  double alpha = 1;  ///< of the stream, for deep_norm
  NormConfig norm = {};
  AttentionConfig attention = {};
  bool cross = false;  ///< attends to a memory, of the same width
  FeedForwardConfig feed_forward = {};

  bool parallel() const {
    return placement == Placement::parallel || placement == Placement::parallel_one_norm;
  }
};

template <class T>
struct BlockTape {
  AttentionTape<T> self_attention, cross_attention;
  FeedForwardTape<T> feed_forward;
  ResidualTape<T> self_residual, cross_residual, feed_forward_residual;

  const Matrix<T>& out() const { return feed_forward_residual.out; }

  template <class Each>
  void each(const std::string& path, Each f) const {
    self_attention.each(path + ".self_attention", f);
    self_residual.each(path + ".self_attention", f);
    cross_attention.each(path + ".cross_attention", f);
    cross_residual.each(path + ".cross_attention", f);
    feed_forward.each(path + ".feed_forward", f);
    feed_forward_residual.each(path + ".feed_forward", f);
  }
};

template <class T>
struct BlockScratch {
  AttentionScratch<T> attention;
  FeedForwardScratch<T> feed_forward;
  Matrix<T> df, dn, dn_of_network, dmemory;
};

/// Of a block in a row, the two residual sums that its stream goes through whatever the family.
enum class Sublayer { self_attention, feed_forward };

/// What a block reads beside its stream.
template <class T>
struct BlockInputs {
  Surroundings<T> itself;
  View<const T> memory = {};
  Surroundings<T> towards_memory = {};
};

template <class T>
struct Block {
  BlockConfig config;
  Residual<T> self_residual, cross_residual, feed_forward_residual;
  Attention<T> self_attention, cross_attention;
  FeedForward<T> feed_forward;

  static Block make(Layout&, const std::string& path, const BlockConfig&);

  /// The result is tape.out().
  void forward(Values<T>, View<const T> x, const BlockInputs<T>&, BlockTape<T>&) const;
  /// `d` is the gradient of the result, and becomes that of x. To dmemory and dbias is added; dbias may be empty.
  void backward(Values<T>, View<const T> x, const BlockInputs<T>&, const BlockTape<T>&, Gradient<T>,
                BlockScratch<T>&, View<T> d, View<T> dmemory, View<T> dbias) const;
  /// The way back over one residual sum of a block in a row without cross-attention: g, the gradient behind it, becomes the two
  /// parts of that in front of it (residual.h). x is the block's input, whichever sum is asked. Neither part may be g.
  void backward_in_parts(Values<T>, Sublayer, View<const T> x, const BlockInputs<T>&, const BlockTape<T>&,
                         View<const T> g, BlockScratch<T>&, View<T> identity, View<T> branch) const;

 private:
  void forward_in_parallel(Values<T>, View<const T> x, const BlockInputs<T>&, BlockTape<T>&) const;
  void backward_in_parallel(Values<T>, View<const T> x, const BlockInputs<T>&, const BlockTape<T>&,
                            Gradient<T>, BlockScratch<T>&, View<T> d, View<T> dbias) const;
};

}  // namespace orrery::transformer
