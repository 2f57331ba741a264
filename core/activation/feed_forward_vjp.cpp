#include "core/activation/feed_forward_vjp.h"

namespace orrery::activation {
namespace {

using tensor::View;
using Doubles = tensor::Matrix<double>;

template <class T>
Doubles doubles(View<const T> a) {
  return a.eigen().template cast<double>();
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
  Doubles a = tokens * w1;
  if (!weights.b1.empty()) {
    const View<const T> b1(weights.b1.data(), 1, std::ssize(weights.b1));
    a.rowwise() += b1.eigen().row(0).template cast<double>();
  }
  const Doubles da = (gradient * w2.transpose()).cwiseProduct(derivatives(a, params));
  return {.x = da * w1.transpose(),
          .w1 = tokens.transpose() * da,
          .w2 = values(a, params).transpose() * gradient,
          .b1 = da.colwise().sum(),
          .b2 = gradient.colwise().sum()};
}

template <class T>
GatedFeedForwardGradients gated_feed_forward_vjp(View<const T> x, const GatedFeedForwardWeights<T>& weights,
                                                 View<const T> g, const ActivationParams& params) {
  const Doubles tokens = doubles(x), gradient = doubles(g);
  const Doubles gate = doubles(weights.gate), up = doubles(weights.up), down = doubles(weights.down);
  const Doubles a = tokens * gate, u = tokens * up, f = values(a, params);
  const Doubles dh = gradient * down.transpose();
  const Doubles du = dh.cwiseProduct(f), da = dh.cwiseProduct(u).cwiseProduct(derivatives(a, params));
  return {.x = da * gate.transpose() + du * up.transpose(),
          .gate = tokens.transpose() * da,
          .up = tokens.transpose() * du,
          .down = f.cwiseProduct(u).transpose() * gradient};
}

template FeedForwardGradients feed_forward_vjp(View<const float>, const FeedForwardWeights<float>&,
                                               View<const float>, const ActivationParams&);
template FeedForwardGradients feed_forward_vjp(View<const double>, const FeedForwardWeights<double>&,
                                               View<const double>, const ActivationParams&);
template GatedFeedForwardGradients gated_feed_forward_vjp(View<const float>,
                                                          const GatedFeedForwardWeights<float>&,
                                                          View<const float>, const ActivationParams&);
template GatedFeedForwardGradients gated_feed_forward_vjp(View<const double>,
                                                          const GatedFeedForwardWeights<double>&,
                                                          View<const double>, const ActivationParams&);

}  // namespace orrery::activation
