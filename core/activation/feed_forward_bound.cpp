#include "core/activation/feed_forward_bound.h"

#include <algorithm>
#include <cmath>

#include "core/simd/product.h"

namespace orrery::activation {

using tensor::Index;
using tensor::View;
using Doubles = tensor::Matrix<double>;

namespace {

/// Stands for what is flushed to zero in a hidden layer: times the bound's `rel` it is above 2⁻¹²⁶, for each product.
constexpr double flushed = 0x1p-100;

/// |a||w|, and what flushing may cost it.
Doubles sizes(View<const double> a, View<const double> w) {
  return (a.eigen().cwiseAbs() * w.eigen().cwiseAbs()).array() + flushed * static_cast<double>(a.cols);
}

Doubles plus_size(Doubles m, std::span<const double> bias) {
  for (Index j = 0; j < std::ssize(bias); ++j)
    m.col(j).array() += std::abs(bias[static_cast<std::size_t>(j)]);
  return m;
}

double reach(const ActivationParams& params, double size) {
  if (params.kind == Kind::relu2) return 2 * size * size;  // the one whose slope grows
  // No slope exceeds 1.76, SELU's on the left, but that of a leaky ReLU or of an ELU with an α of its own.
  const bool steep = params.kind == Kind::leaky_relu || params.kind == Kind::elu;
  const double steepest = steep ? std::max(1.76, params.alpha) : 1.76;
  return std::abs(value(params, 0)) + steepest * size + flushed / std::min(1.0, params.beta);
}

Doubles reaches(const ActivationParams& params, const Doubles& size) {
  return size.unaryExpr([&](double a) { return reach(params, a); });
}

}  // namespace

tensor::Bound feed_forward_bound(Index D, Index F, double largest_out) {
  const auto hidden = static_cast<double>(F);
  return {.abs = 0x1p-125 * (1 + hidden * largest_out),
          .rel = 2 * simd::product_bound(D) + simd::product_bound(F) + (16 + 3 * 4) * 0x1p-24};
}

void feed_forward_magnitude(View<const double> x, const FeedForwardWeights<double>& weights,
                            const ActivationParams& params, View<double> m) {
  if (m.empty()) return;
  const Doubles size = plus_size(sizes(x, weights.w1), weights.b1);
  m.eigen() = plus_size(sizes(reaches(params, size), weights.w2), weights.b2);
}

void gated_feed_forward_magnitude(View<const double> x, const GatedFeedForwardWeights<double>& weights,
                                  const Gate& gate, View<double> m) {
  if (m.empty()) return;
  Doubles hidden = plus_size(sizes(x, weights.gate), weights.gate_bias);
  if (!gate.linear) hidden = reaches(gate.activation, hidden);
  hidden.array() *= plus_size(sizes(x, weights.up), weights.up_bias).array() + std::abs(gate.offset);
  m.eigen() = plus_size(sizes(hidden, weights.down), weights.down_bias);
}

}  // namespace orrery::activation
