#include <algorithm>

#include "core/activation/feed_forward.h"
#include "core/tensor/reduce.h"

namespace orrery::activation {
namespace {

using tensor::Index;
using tensor::View;
using Doubles = tensor::Matrix<double>;

template <class T>
Doubles doubles(View<const T> a) {
  return a.eigen().template cast<double>();
}

template <class T>
void add_bias(Doubles& a, std::span<const T> bias) {
  if (bias.empty()) return;
  const View<const T> row(bias.data(), 1, std::ssize(bias));
  a.rowwise() += row.eigen().row(0).template cast<double>();
}

void activate(Doubles& a, const ActivationParams& params) {
  activation_cpu<double>(a, params, a);
}

/// Calls f(x of some rows, y of the same rows) for blocks of tokens, spread over threads: enough tokens to reuse every
/// weight, few enough that what is hidden stays in cache.
template <class T, class F>
void each_block(View<const T> x, View<T> y, Index work, F f) {
  constexpr Index block = 64;
#pragma omp parallel for schedule(dynamic) if (work > tensor::small_work)
  for (Index first = 0; first < x.rows; first += block) {
    const Index count = std::min(block, x.rows - first);
    const Doubles tokens = doubles(View<const T>(x.row(first).data(), count, x.cols, x.stride));
    y.eigen().middleRows(first, count) = f(tokens).template cast<T>();
  }
}

}  // namespace

template <class T>
void feed_forward_cpu(View<const T> x, const FeedForwardWeights<T>& weights, const ActivationParams& params,
                      View<T> y) {
  const Doubles w1 = doubles(weights.w1), w2 = doubles(weights.w2);
  each_block(x, y, x.rows * w1.size(), [&](const Doubles& tokens) {
    Doubles hidden = tokens * w1;
    add_bias(hidden, weights.b1);
    activate(hidden, params);
    Doubles result = hidden * w2;
    add_bias(result, weights.b2);
    return result;
  });
}

template <class T>
void gated_feed_forward_cpu(View<const T> x, const GatedFeedForwardWeights<T>& weights,
                            const ActivationParams& params, View<T> y) {
  const Doubles gate = doubles(weights.gate), up = doubles(weights.up), down = doubles(weights.down);
  each_block(x, y, x.rows * gate.size(), [&](const Doubles& tokens) {
    Doubles hidden = tokens * gate;
    activate(hidden, params);
    hidden.array() *= (tokens * up).array();
    return Doubles(hidden * down);
  });
}

template void feed_forward_cpu(View<const float>, const FeedForwardWeights<float>&, const ActivationParams&,
                               View<float>);
template void feed_forward_cpu(View<const double>, const FeedForwardWeights<double>&, const ActivationParams&,
                               View<double>);
template void gated_feed_forward_cpu(View<const float>, const GatedFeedForwardWeights<float>&,
                                     const ActivationParams&, View<float>);
template void gated_feed_forward_cpu(View<const double>, const GatedFeedForwardWeights<double>&,
                                     const ActivationParams&, View<double>);

}  // namespace orrery::activation
