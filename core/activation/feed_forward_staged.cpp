#include "core/activation/feed_forward.h"
#include "core/tensor/interruption.h"

namespace orrery::activation {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// The stages of one precision, each a loop over what the one before has stored.
struct Stages {
  tensor::Rounding store, accumulate;

  explicit Stages(const tensor::Precision& p) : store(p.storage), accumulate(p.accumulate) {}

  Matrix<double> linear(View<const double> a, View<const double> w, std::span<const double> bias = {}) const {
    Matrix<double> y(a.rows, w.cols);
    for (Index n = 0; n < a.rows; ++n) {
      tensor::interruption_point();
      for (Index j = 0; j < w.cols; ++j) {
        double sum = 0;
        for (Index i = 0; i < a.cols; ++i)
          sum = accumulate(sum + accumulate(store(a(n, i)) * store(w(i, j))));
        if (!bias.empty()) sum = accumulate(sum + store(bias[static_cast<std::size_t>(j)]));
        y(n, j) = store(sum);
      }
    }
    return y;
  }

  void activate(Matrix<double>& a, const ActivationParams& params) const {
    for (double& v : a.reshaped()) v = store(accumulate(value(params, v)));
  }

  /// a = activated(a) ⊙ passed(b)
  void gate(Matrix<double>& a, const Matrix<double>& b, const Gate& of) const {
    for (Index i = 0; i < a.size(); ++i) {
      const double activated = store(accumulate(of.activated(a.data()[i]))),
                   passed = store(accumulate(of.passed(b.data()[i])));
      a.data()[i] = store(accumulate(activated * passed));
    }
  }
};

}  // namespace

void feed_forward_staged(View<const double> x, const FeedForwardWeights<double>& weights,
                         const ActivationParams& params, const tensor::Precision& precision, View<double> y) {
  const Stages stages(precision);
  Matrix<double> hidden = stages.linear(x, weights.w1, weights.b1);
  stages.activate(hidden, params);
  y.eigen() = stages.linear(hidden, weights.w2, weights.b2);
}

void gated_feed_forward_staged(View<const double> x, const GatedFeedForwardWeights<double>& weights,
                               const Gate& gate, const tensor::Precision& precision, View<double> y) {
  const Stages stages(precision);
  Matrix<double> hidden = stages.linear(x, weights.gate, weights.gate_bias);
  stages.gate(hidden, stages.linear(x, weights.up, weights.up_bias), gate);
  y.eigen() = stages.linear(hidden, weights.down, weights.down_bias);
}

}  // namespace orrery::activation
