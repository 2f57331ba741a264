#include <omp.h>

#include <cmath>
#include <limits>

#include "core/activation/feed_forward.h"
#include "core/activation/kernels.h"
#include "core/simd/flush.h"
#include "core/simd/product.h"
#include "core/simd/share.h"

namespace orrery::activation {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// y = x·w + bias.
void linear(View<const float> x, View<const float> w, std::span<const float> bias, View<float> y,
            const simd::Finish& finish = {}) {
  simd::product(x, simd::Factor::of(w), bias, y, finish);
}

void linear(View<const double> x, View<const double> w, std::span<const double> bias, View<double> y) {
  y.eigen().noalias() = x.eigen() * w.eigen();
  if (!bias.empty())
    y.eigen().rowwise() += View<const double>(bias.data(), 1, std::ssize(bias)).eigen().row(0);
}

// Without subnormal numbers: in every product with one an Intel processor loses more than a hundred cycles, and the bound does
// not see them. What is only passed on is set to zero while it is at hand. NaN stays.

void flush(std::span<float> values) {
  for (float& x : values) x = std::abs(x) < std::numeric_limits<float>::min() ? 0.0F : x;
}

/// work(i) for each row.
template <class Work>
void on_rows(View<float> hidden, const Work& work) {
  simd::share(hidden.rows, hidden.size(), [&](Index first, Index end) {
    const simd::SubnormalsFlushed flushed;
    for (Index i = first; i < end; ++i) work(i);
  });
}

void flush_rows(View<float> hidden) {
  on_rows(hidden, [&](Index i) { flush(hidden.row(i)); });
}

/// A part of the hidden layer by the kernel of f: in one run, where its rows lie one behind the other.
void activate_part(const ActivationParams& f, Kernel* kernel, View<float> part) {
  const simd::SubnormalsFlushed flushed;
  const bool is_one_row = part.stride == part.cols;
  const Index rows = is_one_row ? 1 : part.rows, count = is_one_row ? part.size() : part.cols;
  for (Index i = 0; i < rows; ++i) {
    const std::span<float> row(part.row(i).data(), static_cast<std::size_t>(count));
    kernel({row.data(), nullptr, row.data(), row.size(), false});
    // relu passes numbers on; the others compute theirs, and where there is a switch, it has flushed them.
    if (f.kind == Kind::relu || !simd::SubnormalsFlushed::has_switch) flush(row);
  }
}

/// Whether its beginning has left the threads' second caches when the next product comes to it. (What is then read from memory
/// is asked for long before, and its lines need not be read to be written: 2 to 3 % of the network on a Zen 5.)
bool is_read_late(View<const float> hidden) {
  constexpr Index second_cache = Index{2} << 20;
  return hidden.size() * Index{sizeof(float)} > omp_get_max_threads() * second_cache;
}

/// hidden = f(x·w + bias)
void activated(View<const float> x, View<const float> w, std::span<const float> bias,
               const ActivationParams& f, View<float> hidden) {
  if (Kernel* const kernel = kernel_of(f.kind))
    return linear(x, w, bias, hidden,
                  {.change = [&](View<float> part) { activate_part(f, kernel, part); },
                   .streamed = is_read_late(hidden)});
  linear(x, w, bias, hidden);
  activation_cpu<float>(hidden, f, hidden);
  flush_rows(hidden);
}

void activated(View<const double> x, View<const double> w, std::span<const double> bias,
               const ActivationParams& f, View<double> hidden) {
  linear(x, w, bias, hidden);
  activation_cpu<double>(hidden, f, hidden);
}

/// hidden = activated(hidden) ⊙ passed(up), what the gate has beside a product included
template <class T>
void activate_gated_by_element(const Gate& gate, View<T> hidden, View<const T> up) {
  simd::share(hidden.rows, hidden.size() * 8, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      for (Index j = 0; j < hidden.cols; ++j)
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
    return flush_rows(hidden);
  }
  Kernel* const kernel = kernel_of(gate.activation.kind);
  if (kernel == nullptr) activation_cpu<float>(hidden, gate.activation, hidden);
  on_rows(hidden, [&](Index i) {
    const std::span<float> row = hidden.row(i);
    if (kernel != nullptr)
      kernel({row.data(), up.row(i).data(), row.data(), row.size(), false});
    else
      for (std::size_t j = 0; j < row.size(); ++j) row[j] *= up.row(i)[j];
    flush(row);
  });
}

}  // namespace

template <class T>
void feed_forward_cpu(View<const T> x, const FeedForwardWeights<T>& weights, const ActivationParams& params,
                      View<T> y) {
  Matrix<T> hidden(x.rows, weights.w1.cols);
  activated(x, weights.w1, weights.b1, params, hidden);
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
