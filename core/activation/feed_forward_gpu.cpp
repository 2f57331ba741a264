// A dispatch for each layer. What is hidden never leaves the device.
#include <vector>

#include "core/activation/activation_program.h"
#include "core/activation/feed_forward.h"
#include "core/gpu/device.h"

namespace orrery::activation {

using tensor::Index;
using tensor::View;

namespace {

struct Layer {
  View<const float> weights;
  std::span<const float> bias = {};
  View<const float> passed = {};  ///< what the activated product is multiplied by: x times this
};

/// f(x W + bias) of `rows` tokens; f is nothing where no activation is given.
gpu::Buffer through(gpu::Device& device, const Layer& layer, const gpu::Buffer& x, Index rows,
                    const ActivationParams* activation = nullptr) {
  const auto [width, cols] = std::pair(layer.weights.rows, layer.weights.cols);
  gpu::Buffer y(static_cast<std::size_t>(rows * cols) * sizeof(float));
  if (rows * cols == 0) return y;
  std::vector<std::string> defines;
  if (!layer.bias.empty()) defines.emplace_back("BIAS");
  if (!layer.passed.empty()) defines.emplace_back("GATED");
  const gpu::Program& program = activation != nullptr
                                    ? activation_program(device, "linear", *activation, defines)
                                    : device.program("linear", defines);
  program.set("rows", static_cast<unsigned>(rows));
  program.set("width", static_cast<unsigned>(width));
  program.set("cols", static_cast<unsigned>(cols));

  const gpu::Buffer weights(layer.weights), bias(layer.bias), passed(layer.passed);
  const gpu::Buffer* const buffers[] = {&x, &weights, &y, &bias, &passed};
  device.dispatch_tiles(program, buffers, rows, cols, gpu::Loops::over_tiles(width));
  return y;
}

}  // namespace

void feed_forward_gpu(gpu::Device& device, View<const float> x, const FeedForwardWeights<float>& weights,
                      const ActivationParams& params, View<float> y) {
  if (y.empty()) return;
  const gpu::Buffer tokens(x);
  const gpu::Buffer hidden = through(device, {weights.w1, weights.b1}, tokens, x.rows, &params);
  through(device, {weights.w2, weights.b2}, hidden, x.rows).read(y);
}

void gated_feed_forward_gpu(gpu::Device& device, View<const float> x,
                            const GatedFeedForwardWeights<float>& weights, const ActivationParams& params,
                            View<float> y) {
  if (y.empty()) return;
  const gpu::Buffer tokens(x);
  const gpu::Buffer hidden =
      through(device, {.weights = weights.gate, .passed = weights.up}, tokens, x.rows, &params);
  through(device, {weights.down}, hidden, x.rows).read(y);
}

}  // namespace orrery::activation
