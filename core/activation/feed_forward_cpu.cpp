#include <type_traits>

#include "core/activation/feed_forward.h"
#include "core/activation/kernels.h"
#include "core/simd/product.h"
#include "core/simd/share.h"

namespace orrery::activation {
namespace {

using tensor::Matrix;
using tensor::View;

/// y = x·w + bias.
void linear(View<const float> x, View<const float> w, std::span<const float> bias, View<float> y) {
  simd::product(x, simd::Factor::of(w), bias, y);
}

void linear(View<const double> x, View<const double> w, std::span<const double> bias, View<double> y) {
  y.eigen().noalias() = x.eigen() * w.eigen();
  if (!bias.empty())
    y.eigen().rowwise() += View<const double>(bias.data(), 1, std::ssize(bias)).eigen().row(0);
}

/// hidden = activated(hidden) ⊙ passed(up)
template <class T>
void activate_gated(const Gate& gate, View<T> hidden, View<const T> up) {
  if (!gate.plain()) {
    return simd::share(hidden.rows, hidden.size() * 8, [&](tensor::Index first, tensor::Index end) {
      for (tensor::Index i = first; i < end; ++i)
        for (tensor::Index j = 0; j < hidden.cols; ++j)
          hidden(i, j) = static_cast<T>(gate.activated(static_cast<double>(hidden(i, j))) *
                                        gate.passed(static_cast<double>(up(i, j))));
    });
  }
  if constexpr (std::is_same_v<T, float>) {
    if (Kernel* const kernel = kernel_of(gate.activation.kind)) {
      return simd::share(hidden.rows, hidden.size(), [&](tensor::Index first, tensor::Index end) {
        for (tensor::Index i = first; i < end; ++i) {
          float* const row = hidden.row(i).data();
          kernel({row, up.row(i).data(), row, static_cast<std::size_t>(hidden.cols), false});
        }
      });
    }
  }
  activation_cpu<T>(hidden, gate.activation, hidden);
  hidden.eigen().array() *= up.eigen().array();
}

}  // namespace

template <class T>
void feed_forward_cpu(View<const T> x, const FeedForwardWeights<T>& weights, const ActivationParams& params,
                      View<T> y) {
  Matrix<T> hidden(x.rows, weights.w1.cols);
  linear(x, weights.w1, weights.b1, hidden);
  activation_cpu<T>(hidden, params, hidden);
  linear(hidden, weights.w2, weights.b2, y);
}

template <class T>
void gated_feed_forward_cpu(View<const T> x, const GatedFeedForwardWeights<T>& weights, const Gate& gate,
                            View<T> y) {
  Matrix<T> hidden(x.rows, weights.gate.cols), up(x.rows, weights.up.cols);
  linear(x, weights.gate, weights.gate_bias, hidden);
  linear(x, weights.up, weights.up_bias, up);
  activate_gated<T>(gate, hidden, up);
  linear(hidden, weights.down, weights.down_bias, y);
}

template void feed_forward_cpu(View<const float>, const FeedForwardWeights<float>&, const ActivationParams&,
                               View<float>);
template void feed_forward_cpu(View<const double>, const FeedForwardWeights<double>&, const ActivationParams&,
                               View<double>);
template void gated_feed_forward_cpu(View<const float>, const GatedFeedForwardWeights<float>&, const Gate&,
                                     View<float>);
template void gated_feed_forward_cpu(View<const double>, const GatedFeedForwardWeights<double>&, const Gate&,
                                     View<double>);

}  // namespace orrery::activation
