#include "app/study/norm/zero_gain.h"

#include <cmath>

#include "app/study/twin.h"
#include "core/activation/feed_forward_vjp.h"
#include "core/attention/attention_vjp.h"
#include "core/norm/rms_norm.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using tensor::Index;
using twin::Matrix;
using Doubles = tensor::View<double>;

constexpr Index tokens = 6, width = 8, hidden = 16;

/// Weights, normalised tokens, and what the loss says to the block's output.
struct Block {
  Matrix x_hat, output_gradient, query, key, value, gate, up, down;
};

Block block_of(std::uint64_t seed) {
  const auto drawn = [&](std::uint32_t stream, Index rows, Index cols) {
    return Matrix(tensor::Random(seed, stream).normals(rows, cols) / std::sqrt(static_cast<double>(rows)));
  };
  Block b{.x_hat = tensor::Random(seed).normals(tokens, width),
          .output_gradient = tensor::Random(seed, 1).normals(tokens, width),
          .query = drawn(2, width, width),
          .key = drawn(3, width, width),
          .value = drawn(4, width, width),
          .gate = drawn(5, width, hidden),
          .up = drawn(6, width, hidden),
          .down = drawn(7, hidden, width)};
  const Matrix x = b.x_hat;
  norm::rms_norm_ref(x, {}, {}, Doubles(b.x_hat));
  return b;
}

/// dγ_j = Σ_t x̂_tj dy_tj.
double size_of_gain_gradient(const Block& block, const Matrix& dy) {
  return std::sqrt(block.x_hat.cwiseProduct(dy).colwise().sum().squaredNorm() / width);
}

Matrix through_attention(const Block& block, const Matrix& y) {
  const Matrix q = y * block.query, k = y * block.key, v = y * block.value;
  Matrix dq = q, dk = k, dv = v;
  attention::attention_vjp<double>(q, k, v, {}, {}, block.output_gradient,
                                   {.dq = Doubles(dq), .dk = Doubles(dk), .dv = Doubles(dv), .dbias = {}});
  return dq * block.query.transpose() + dk * block.key.transpose() + dv * block.value.transpose();
}

Matrix through_swiglu(const Block& block, const Matrix& y) {
  return activation::gated_feed_forward_vjp<double>(y,
                                                    {.gate = block.gate, .up = block.up, .down = block.down},
                                                    block.output_gradient, activation::Kind::silu)
      .x;
}

}  // namespace

Series zero_gain(std::uint64_t seed) {
  const Block block = block_of(seed);
  std::vector<double> gains;
  for (int i = 0; i <= 40; ++i) gains.push_back(i / 40.0);
  Series series("zero_gain", {"gain", "", gains});
  series.add("attention", [&](double gain) {
    return size_of_gain_gradient(block, through_attention(block, gain * block.x_hat));
  });
  series.add("SwiGLU", [&](double gain) {
    return size_of_gain_gradient(block, through_swiglu(block, gain * block.x_hat));
  });
  return series;
}

}  // namespace orrery::study
