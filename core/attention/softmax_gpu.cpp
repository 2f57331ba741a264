#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/softmax.h"
#include "core/gpu/attention_steps.h"
#include "core/gpu/device.h"

namespace orrery::attention {

namespace {

/// A number in two floats.
void set_twofold(const gpu::Program& program, const std::string& name, double value) {
  constexpr double most = std::numeric_limits<float>::max();
  const double within = std::clamp(value, -most, most);
  const auto upper = static_cast<float>(within);
  program.set((name + "_upper").c_str(), upper);
  program.set((name + "_lower").c_str(), static_cast<float>(within - upper));
}

}  // namespace

void softmax_on_device(gpu::Device& device, const gpu::Buffer& x, tensor::Index rows, tensor::Index cols,
                       const SoftmaxParams& params, const gpu::Buffer& y, SoftmaxOutput output) {
  std::vector<std::string> defines;
  if (params.sink) defines.emplace_back("SINK");
  if (params.temperature != 1) defines.emplace_back("TEMPERATURE");
  if (output == SoftmaxOutput::lse) defines.emplace_back("LSE");
  const ScoresParams masked{.mask = params.mask};
  const gpu::Program& program = params.mask.shows_all()
                                    ? device.program("softmax", defines)
                                    : masked_program(device, "softmax", masked, rows, cols, defines);
  program.set("rows", static_cast<unsigned>(rows));
  program.set("cols", static_cast<unsigned>(cols));
  if (params.temperature != 1) set_twofold(program, "inverse", 1 / params.temperature);
  if (params.sink) set_twofold(program, "sink", *params.sink);
  const gpu::Buffer of_keys = keys_on_device(masked);
  const gpu::Buffer* const buffers[] = {&x, &y, &y, &of_keys};  // slot 2 is not read
  device.dispatch_groups(program, buffers, rows, gpu::Loops::over_row(cols, 3));
}

void softmax_gpu(gpu::Device& device, tensor::View<const float> x, const SoftmaxParams& params,
                 tensor::View<float> y) {
  check_softmax(params, x.cols);
  if (x.empty()) return;
  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  softmax_on_device(device, x_buffer, x.rows, x.cols, params, y_buffer);
  y_buffer.read(y);
}

void softmax_lse_gpu(gpu::Device& device, tensor::View<const float> x, const SoftmaxParams& params,
                     tensor::View<float> lse) {
  check_softmax(params, x.cols);
  if (lse.empty()) return;
  if (x.cols == 0) {
    lse.eigen().setConstant(params.sink ? static_cast<float>(*params.sink / params.temperature) : -INFINITY);
    return;
  }
  const gpu::Buffer x_buffer(x), lse_buffer(static_cast<std::size_t>(lse.size()) * sizeof(float));
  softmax_on_device(device, x_buffer, x.rows, x.cols, params, lse_buffer, SoftmaxOutput::lse);
  lse_buffer.read(lse);
}

}  // namespace orrery::attention
