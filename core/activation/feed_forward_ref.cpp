#include "core/activation/feed_forward.h"
#include "core/tensor/interruption.h"

namespace orrery::activation {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// a w + bias, entry by entry.
Matrix<double> linear(View<const double> a, View<const double> w, std::span<const double> bias = {}) {
  Matrix<double> y(a.rows, w.cols);
  for (Index n = 0; n < a.rows; ++n) {
    tensor::interruption_point();
    for (Index j = 0; j < w.cols; ++j) {
      double sum = 0;
      for (Index i = 0; i < a.cols; ++i) sum += a(n, i) * w(i, j);
      y(n, j) = bias.empty() ? sum : sum + bias[static_cast<std::size_t>(j)];
    }
  }
  return y;
}

}  // namespace

void feed_forward_ref(View<const double> x, const FeedForwardWeights<double>& weights,
                      const ActivationParams& params, View<double> y) {
  Matrix<double> hidden = linear(x, weights.w1, weights.b1);
  activation_ref(hidden, params, hidden);
  y.eigen() = linear(hidden, weights.w2, weights.b2);
}

void gated_feed_forward_ref(View<const double> x, const GatedFeedForwardWeights<double>& weights,
                            const Gate& gate, View<double> y) {
  Matrix<double> hidden = linear(x, weights.gate, weights.gate_bias);
  const Matrix<double> up = linear(x, weights.up, weights.up_bias);
  for (Index n = 0; n < hidden.rows(); ++n)
    for (Index j = 0; j < hidden.cols(); ++j)
      hidden(n, j) = gate.activated(hidden(n, j)) * gate.passed(up(n, j));
  y.eigen() = linear(hidden, weights.down, weights.down_bias);
}

}  // namespace orrery::activation
