
#include <span>
#include <string>
#include <vector>

#include "core/gpu/device.h"
#include "core/position/fire.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// Each row of a layer, and then what is added to it.
gpu::Buffer layer(const tensor::Matrix<double>& weights, const std::vector<double>& bias) {
  std::vector<float> rows;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) rows.push_back(static_cast<float>(weights(i, j)));
    rows.push_back(static_cast<float>(bias[static_cast<std::size_t>(i)]));
  }
  return gpu::Buffer(std::span<const float>(rows));
}

}  // namespace

void fire_gpu(gpu::Device& device, const FireWeights& w, const FireParams& params, tensor::View<float> y) {
  check_fire(params);
  if (y.empty()) return;
  std::vector<std::string> defines;
  if (params.direction == Direction::causal) defines.emplace_back("CAUSAL");
  if (w.deep()) defines.emplace_back("DEEP");
  const gpu::Program& program = device.program("fire", defines);
  const Index tokens = y.cols;
  program.set("heads", static_cast<unsigned>(w.heads()));
  program.set("tokens", static_cast<unsigned>(tokens));
  program.set("units", static_cast<unsigned>(w.width()));

  std::vector<float> distance, inverse_reach;  // logarithms in double, rounded once
  for (Index m = 0; m < tokens; ++m) {
    distance.push_back(static_cast<float>(fire_measure(params, static_cast<double>(m))));
    inverse_reach.push_back(static_cast<float>(1 / fire_measure(params, fire_reach(params, m))));
  }
  const tensor::Matrix<double> w_in =
      Eigen::Map<const Eigen::VectorXd>(w.w_in.data(), static_cast<Index>(w.w_in.size()));
  const gpu::Buffer y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float)), distance_buffer(distance),
      reach_buffer(inverse_reach), first = layer(w_in, w.b_in), last = layer(w.w_out, w.b_out),
                                   middle = layer(w.w_mid, w.b_mid);
  const gpu::Buffer* const buffers[] = {&y_buffer, &distance_buffer, &reach_buffer, &first, &last, &middle};
  constexpr Index together = 8;  // heads, as in fire.comp
  for (Index head = 0; head < w.heads(); head += together) {
    program.set("first_head", static_cast<unsigned>(head));
    device.dispatch_elements(program, buffers, tokens * tokens, {.length = w.width(), .nested = w.deep()});
  }
  y_buffer.read(y);
}

}  // namespace orrery::position
