// A dispatch for each layer. What is hidden never leaves the device.
#include <vector>

#include "core/activation/activation_program.h"
#include "core/activation/feed_forward.h"
#include "core/activation/gate_program.h"
#include "core/gpu/device.h"

namespace orrery::activation {

using tensor::Index;
using tensor::View;

namespace {

struct Layer {
  View<const float> weights;
  std::span<const float> bias = {};
  View<const float> passed = {};  ///< what the activated product is multiplied by: x times this
  std::span<const float> passed_bias = {};
  bool gated = false;  ///< also where nothing is hidden, and `passed` is empty
};

std::vector<std::string> defines_of(const Layer& layer) {
  std::vector<std::string> defines;
  if (!layer.bias.empty()) defines.emplace_back("BIAS");
  if (layer.gated) defines.emplace_back("GATED");
  if (!layer.passed_bias.empty()) defines.emplace_back("PASSED_BIAS");
  return defines;
}

/// What the program makes of `rows` tokens.
gpu::Buffer through(gpu::Device& device, const gpu::Program& program, const Layer& layer,
                    const gpu::Buffer& x, Index rows) {
  const auto [width, cols] = std::pair(layer.weights.rows, layer.weights.cols);
  gpu::Buffer y(static_cast<std::size_t>(rows * cols) * sizeof(float));
  if (rows * cols == 0) return y;
  program.set("rows", static_cast<unsigned>(rows));
  program.set("width", static_cast<unsigned>(width));
  program.set("cols", static_cast<unsigned>(cols));

  const gpu::Buffer weights(layer.weights), bias(layer.bias), passed(layer.passed),
      passed_bias(layer.passed_bias);
  const gpu::Buffer* const buffers[] = {&x, &weights, &y, &bias, &passed, &passed_bias};
  device.dispatch_tiles(program, buffers, rows, cols, gpu::Loops::over_tiles(width));
  return y;
}

gpu::Buffer linear(gpu::Device& device, const Layer& layer, const gpu::Buffer& x, Index rows) {
  return through(device, device.program("linear", defines_of(layer)), layer, x, rows);
}

}  // namespace

void feed_forward_gpu(gpu::Device& device, View<const float> x, const FeedForwardWeights<float>& weights,
                      const ActivationParams& params, View<float> y) {
  if (y.empty()) return;
  const gpu::Buffer tokens(x);
  const Layer first{weights.w1, weights.b1};
  const gpu::Buffer hidden =
      through(device, activation_program(device, "linear", params, defines_of(first)), first, tokens, x.rows);
  linear(device, {weights.w2, weights.b2}, hidden, x.rows).read(y);
}

void gated_feed_forward_gpu(gpu::Device& device, View<const float> x,
                            const GatedFeedForwardWeights<float>& weights, const Gate& gate, View<float> y) {
  if (y.empty()) return;
  const gpu::Buffer tokens(x);
  const Layer first{weights.gate, weights.gate_bias, weights.up, weights.up_bias, true};
  const gpu::Buffer hidden =
      through(device, gate_program(device, "linear", gate, defines_of(first)), first, tokens, x.rows);
  linear(device, {weights.down, weights.down_bias}, hidden, x.rows).read(y);
}

}  // namespace orrery::activation
