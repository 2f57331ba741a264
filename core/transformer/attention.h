// Multi-head attention, of a sequence to itself or to a memory (an encoder's result).
//
//   q = Q(x),  k = K(m),  v = V(m)              m = x in self-attention
//   q̂ = norm(q), k̂ = norm(k)                    QK-norm: of every head by itself, or of the whole projection
//   q̂, k̂ turned by their positions              rotary positions
//   p_h = softmax(scale q̂_h k̂_hᵀ + bias_h)      by what the mask and the padding let a query see
//   y = O(p_h v_h of all heads)
//
// With fewer key-value heads than heads, neighbours share one: attention::key_value_head.
//
// Shapes     x, y: (B T) × D; m: (B S) × D'; q: (B T) × (H d), k, v: (B S) × (H' d); p: (B H T) × S, head h of sequence b from
//            row (b H + h) T on.
// Source     Vaswani et al., arXiv 1706.03762, section 3.2; QK-norm of heads: Dehghani et al., 2302.05442 (ViT-22B), Qwen 3;
//            of the whole: OLMo 2, 2501.00656; grouped: Ainslie et al., 2305.13245.
#pragma once

#include <cstdint>
#include <optional>

#include "core/transformer/head.h"
#include "core/transformer/linear.h"
#include "core/transformer/norm.h"
#include "core/transformer/rotation.h"

namespace orrery::transformer {

enum class QkNorm { none, heads, whole };

struct AttentionConfig {
  Index width = 0, memory_width = 0;
  Index heads = 1, key_value_heads = 1, head_width = 0;
  bool bias = true;
  QkNorm qk_norm = QkNorm::none;
  NormConfig norm = {};
  std::optional<double> scale = {}, cap = {};  ///< of the scores; 1/√d and none where not given
  std::optional<attention::LogN> log_n = {};
  attention::Mask mask = {};
};

/// What attention needs to know beside numbers.
template <class T>
struct Surroundings {
  Index sequences = 0, queries = 0, keys = 0;  ///< B, T, S
  const Rotation<T>* rotation = nullptr;       ///< null: none
  View<const T> bias = {};                     ///< (H T) × S, or empty
  std::span<const std::uint8_t> padding = {};  ///< B · S flags, 0 hides the key; empty: none
};

template <class T>
struct AttentionTape {
  Matrix<T> q, k, v, q_normed, k_normed, q_turned, k_turned, weights, mixed;

  /// What the scores are made of: the last of the three that there are.
  const Matrix<T>& queries() const { return last(q, q_normed, q_turned); }
  const Matrix<T>& keys() const { return last(k, k_normed, k_turned); }

  template <class Each>
  void each(const std::string& path, Each f) const {
    f(path + ".q", q);
    f(path + ".k", k);
    f(path + ".v", v);
    f(path + ".q_normed", q_normed);
    f(path + ".k_normed", k_normed);
    f(path + ".q_turned", q_turned);
    f(path + ".k_turned", k_turned);
    f(path + ".weights", weights);
    f(path + ".mixed", mixed);
  }

 private:
  static const Matrix<T>& last(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& c) {
    return c.size() > 0 ? c : b.size() > 0 ? b : a;
  }
};

/// Gradients on their way back; one for all layers.
template <class T>
struct AttentionScratch {
  Matrix<T> dq, dk, dv, dmixed, dmemory;
};

template <class T>
struct Attention {
  AttentionConfig config;
  Linear<T> q, k, v, out;
  Norm<T> q_norm, k_norm;

  static Attention make(Layout&, const std::string& path, const AttentionConfig&);

  void forward(Values<T>, View<const T> x, View<const T> memory, const Surroundings<T>&, AttentionTape<T>&,
               View<T> y) const;
  /// dmemory is overwritten; in self-attention it is part of dx, and must be empty. dbias, (H T) × S, is added to; empty:
  /// nobody asks for it.
  void backward(Values<T>, View<const T> x, View<const T> memory, const Surroundings<T>&,
                const AttentionTape<T>&, View<const T> g, Gradient<T>, AttentionScratch<T>&, View<T> dx,
                View<T> dmemory, View<T> dbias) const;

 private:
  Head<T> head(const Surroundings<T>&, const AttentionTape<T>&, Index sequence, Index head) const;
  void normed_and_turned(Values<T>, const Norm<T>&, const Matrix<T>& projected, Index heads,
                         const Surroundings<T>&, Matrix<T>& normed, Matrix<T>& turned) const;
  void back_to_projection(Values<T>, const Norm<T>&, const Matrix<T>& projected, Index heads,
                          const Surroundings<T>&, Gradient<T>, View<T> d) const;
  void backward_of_heads(const Surroundings<T>&, const AttentionTape<T>&, AttentionScratch<T>&,
                         View<T> dbias) const;
};

}  // namespace orrery::transformer
