// Between the op table, which knows arrays and settings, and the contracts in core/<topic>, which know views
// and numbers. One struct an op, one source file a topic.
#pragma once

#include "core/op/op.h"

namespace orrery::op {

struct LayerNorm {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct RmsNorm {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct BatchNorm {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct ScaleNorm {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Dyt {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Sinusoidal {
  static void fit(parameter::Settings&, const Sizes&);
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

struct Rope {
  static void fit(parameter::Settings&, const Sizes&);
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

/// Biases of queries and keys, as many as the setting `length` says.
struct OfLength {
  static void fit(parameter::Settings&, const Sizes&);
};

struct Alibi : OfLength {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

struct T5Bias : OfLength {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Kerple : OfLength {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

struct Fire : OfLength {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Scores {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Softmax {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Attention {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Activation {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Glu {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct FeedForward {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct GatedFeedForward {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Embedding {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Unembedding {
  static tensor::Array ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

}  // namespace orrery::op
