// Between the op table, which knows arrays and settings, and the contracts in core/<topic>, which know views
// and numbers. One struct an op, one source file a topic.
#pragma once

#include "core/op/op.h"
#include "core/op/work.h"

namespace orrery::op {

/// A norm whose columns have a gain and a shift: see affine_norm.h.
template <class Norm>
struct AffineNorm {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
};

struct LayerNorm : AffineNorm<LayerNorm> {
  static Bounds bounds(const Call&);
};

struct RmsNorm : AffineNorm<RmsNorm> {
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct BatchNorm : AffineNorm<BatchNorm> {
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct InstanceNorm : AffineNorm<InstanceNorm> {
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct GroupNorm : AffineNorm<GroupNorm> {
  static void fit(parameter::Settings&, const Sizes&);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct ScaleNorm {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Dyt : AffineNorm<Dyt> {
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Sinusoidal {
  static void fit(parameter::Settings&, const Sizes&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

struct Rope {
  static void fit(parameter::Settings&, const Sizes&);
  static std::string note(const Call&);
  static std::vector<position::RopeWarning> warnings(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct MropePositions {
  static void fit(parameter::Settings&, const Sizes&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

/// Biases of queries and keys, as many as the setting `length` says.
struct OfLength {
  static void fit(parameter::Settings&, const Sizes&);
};

struct Alibi : OfLength {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

struct T5Bias : OfLength {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Kerple : OfLength {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};

struct Fire : OfLength {
  static double flops(const Call&);
  static constexpr bool flops_in_double = true;
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Scores {
  static double flops(const Call&);
  static constexpr bool flops_in_double = true;
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Softmax {
  static double reads(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

/// A set of the tokens that keeps its logits, by the rule of core/attention/truncation.h.
template <class Rule>
struct Truncation {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Bounds bounds(const Call&);
};
struct TopK : Truncation<TopK> {};
struct TopP : Truncation<TopP> {};
struct MinP : Truncation<MinP> {};

struct Attention {
  static double reads(const Call&), flops(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Activation {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Glu {
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct FeedForward {
  static double flops(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct GatedFeedForward {
  static double flops(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

struct Embedding {
  static double reads(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
};

struct Unembedding {
  static double flops(const Call&);
  static Work ref(const Call&), cpu(const Call&), gpu(const Call&), staged(const Call&);
  static Gradients vjp(const Call&, const tensor::Array& gradient);
  static Bounds bounds(const Call&);
  static tensor::Array magnitude(const Call&);
};

}  // namespace orrery::op
