#include <utility>
#include <vector>

#include "core/attention/softmax.h"
#include "core/gpu/attention_steps.h"
#include "core/gpu/device.h"

namespace orrery::attention {

void softmax_on_device(gpu::Device& device, const gpu::Buffer& x, tensor::Index rows, tensor::Index cols,
                       const SoftmaxParams& params, const gpu::Buffer& y) {
  std::vector<std::string> defines;
  if (params.sink) defines.emplace_back("SINK");
  const gpu::Program& program =
      params.mask.kind == Mask::Kind::none
          ? device.program("softmax", defines)
          : masked_program(device, "softmax", {.mask = params.mask}, rows, cols, std::move(defines));
  program.set("rows", static_cast<unsigned>(rows));
  program.set("cols", static_cast<unsigned>(cols));
  program.set("temperature", static_cast<float>(params.temperature));
  if (params.sink) program.set("sink", static_cast<float>(*params.sink));
  const gpu::Buffer* const buffers[] = {&x, &y};
  device.dispatch_groups(program, buffers, rows);
}

void softmax_gpu(gpu::Device& device, tensor::View<const float> x, const SoftmaxParams& params,
                 tensor::View<float> y) {
  check_softmax(params);
  if (x.empty()) return;
  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  softmax_on_device(device, x_buffer, x.rows, x.cols, params, y_buffer);
  y_buffer.read(y);
}

}  // namespace orrery::attention
