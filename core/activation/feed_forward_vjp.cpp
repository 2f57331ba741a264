#include "core/activation/feed_forward_vjp.h"

namespace orrery::activation {
namespace {

using tensor::View;
using Doubles = tensor::Matrix<double>;

template <class T>
Doubles doubles(View<const T> a) {
  return a.eigen().template cast<double>();
}

/// m + bias in every row; empty: no bias.
template <class T>
Doubles plus(Doubles m, std::span<const T> bias) {
  if (!bias.empty()) m.rowwise() += doubles(View<const T>(bias.data(), 1, std::ssize(bias))).row(0);
  return m;
}

Doubles values(const Doubles& a, const ActivationParams& params) {
  return a.unaryExpr([&](double v) { return value(params, v); });
}
Doubles derivatives(const Doubles& a, const ActivationParams& params) {
  return a.unaryExpr([&](double v) { return derivative(params, v); });
}

}  // namespace

template <class T>
FeedForwardGradients feed_forward_vjp(View<const T> x, const FeedForwardWeights<T>& weights, View<const T> g,
                                      const ActivationParams& params) {
  const Doubles tokens = doubles(x), gradient = doubles(g), w1 = doubles(weights.w1),
                w2 = doubles(weights.w2);
  const Doubles a = plus(tokens * w1, weights.b1);
  const Doubles da = (gradient * w2.transpose()).cwiseProduct(derivatives(a, params));
  return {.x = da * w1.transpose(),
          .w1 = tokens.transpose() * da,
          .w2 = values(a, params).transpose() * gradient,
          .b1 = da.colwise().sum(),
          .b2 = gradient.colwise().sum()};
}

template <class T>
GatedFeedForwardGradients gated_feed_forward_vjp(View<const T> x, const GatedFeedForwardWeights<T>& weights,
                                                 View<const T> g, const Gate& unit) {
  const Doubles tokens = doubles(x), gradient = doubles(g);
  const Doubles gate = doubles(weights.gate), up = doubles(weights.up), down = doubles(weights.down);
  const Doubles a = plus(tokens * gate, weights.gate_bias), u = plus(tokens * up, weights.up_bias);
  const auto of = [](const Doubles& m, auto f) -> Doubles { return m.unaryExpr(f); };
  const Doubles f = of(a, [&](double v) { return unit.activated(v); }),
                passed = of(u, [&](double v) { return unit.passed(v); });
  const Doubles dh = gradient * down.transpose();
  const Doubles du = dh.cwiseProduct(f).cwiseProduct(of(u, [&](double v) { return unit.passed_slope(v); })),
                da = dh.cwiseProduct(passed).cwiseProduct(
                    of(a, [&](double v) { return unit.activated_slope(v); }));
  return {.x = da * gate.transpose() + du * up.transpose(),
          .gate = tokens.transpose() * da,
          .up = tokens.transpose() * du,
          .down = f.cwiseProduct(passed).transpose() * gradient,
          .gate_bias = da.colwise().sum(),
          .up_bias = du.colwise().sum(),
          .down_bias = gradient.colwise().sum()};
}

template FeedForwardGradients feed_forward_vjp(View<const float>, const FeedForwardWeights<float>&,
                                               View<const float>, const ActivationParams&);
template FeedForwardGradients feed_forward_vjp(View<const double>, const FeedForwardWeights<double>&,
                                               View<const double>, const ActivationParams&);
template GatedFeedForwardGradients gated_feed_forward_vjp(View<const float>,
                                                          const GatedFeedForwardWeights<float>&,
                                                          View<const float>, const Gate&);
template GatedFeedForwardGradients gated_feed_forward_vjp(View<const double>,
                                                          const GatedFeedForwardWeights<double>&,
                                                          View<const double>, const Gate&);

}  // namespace orrery::activation
