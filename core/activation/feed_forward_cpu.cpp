#include <cmath>
#include <limits>

#include "core/activation/feed_forward.h"
#include "core/activation/kernels.h"
#include "core/simd/flush.h"
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

/// Each row by `make`, without subnormal numbers: in every product with one an Intel processor loses more than a hundred
/// cycles, and the bound does not see them. What `make` only passes on is set to zero while it is at hand. NaN stays.
template <class Make>
void make_rows(View<float> hidden, const Make& make) {
  simd::share(hidden.rows, hidden.size(), [&](tensor::Index first, tensor::Index end) {
    const simd::SubnormalsFlushed flushed;
    for (tensor::Index i = first; i < end; ++i) {
      make(i);
      for (float& x : hidden.row(i)) x = std::abs(x) < std::numeric_limits<float>::min() ? 0.0F : x;
    }
  });
}

/// hidden = f(hidden)
void activate(const ActivationParams& params, View<double> hidden) {
  activation_cpu<double>(hidden, params, hidden);
}

void activate(const ActivationParams& params, View<float> hidden) {
  Kernel* const kernel = kernel_of(params.kind);
  if (kernel == nullptr) activation_cpu<float>(hidden, params, hidden);
  make_rows(hidden, [&](tensor::Index i) {
    float* const row = hidden.row(i).data();
    if (kernel != nullptr) kernel({row, nullptr, row, static_cast<std::size_t>(hidden.cols), false});
  });
}

/// hidden = activated(hidden) ⊙ passed(up), what the gate has beside a product included
template <class T>
void activate_gated_by_element(const Gate& gate, View<T> hidden, View<const T> up) {
  simd::share(hidden.rows, hidden.size() * 8, [&](tensor::Index first, tensor::Index end) {
    for (tensor::Index i = first; i < end; ++i)
      for (tensor::Index j = 0; j < hidden.cols; ++j)
        hidden(i, j) = static_cast<T>(gate.activated(static_cast<double>(hidden(i, j))) *
                                      gate.passed(static_cast<double>(up(i, j))));
  });
}

void activate_gated(const Gate& gate, View<double> hidden, View<const double> up) {
  if (!gate.plain()) return activate_gated_by_element<double>(gate, hidden, up);
  activation_cpu<double>(hidden, gate.activation, hidden);
  hidden.eigen().array() *= up.eigen().array();
}

void activate_gated(const Gate& gate, View<float> hidden, View<const float> up) {
  if (!gate.plain()) {
    activate_gated_by_element<float>(gate, hidden, up);
    return make_rows(hidden, [](tensor::Index) {});
  }
  Kernel* const kernel = kernel_of(gate.activation.kind);
  if (kernel == nullptr) activation_cpu<float>(hidden, gate.activation, hidden);
  make_rows(hidden, [&](tensor::Index i) {
    const std::span<float> row = hidden.row(i);
    if (kernel != nullptr)
      kernel({row.data(), up.row(i).data(), row.data(), row.size(), false});
    else
      for (std::size_t j = 0; j < row.size(); ++j) row[j] *= up.row(i)[j];
  });
}

}  // namespace

template <class T>
void feed_forward_cpu(View<const T> x, const FeedForwardWeights<T>& weights, const ActivationParams& params,
                      View<T> y) {
  Matrix<T> hidden(x.rows, weights.w1.cols);
  linear(x, weights.w1, weights.b1, hidden);
  activate(params, hidden);
  linear(hidden, weights.w2, weights.b2, y);
}

template <class T>
void gated_feed_forward_cpu(View<const T> x, const GatedFeedForwardWeights<T>& weights, const Gate& gate,
                            View<T> y) {
  Matrix<T> hidden(x.rows, weights.gate.cols), up(x.rows, weights.up.cols);
  linear(x, weights.gate, weights.gate_bias, hidden);
  linear(x, weights.up, weights.up_bias, up);
  activate_gated(gate, hidden, up);
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
