#include "core/gpu/device.h"
#include "core/position/relative_bias.h"

namespace orrery::position {

void relative_bias_gpu(gpu::Device& device, tensor::View<const float> v, tensor::View<float> y) {
  check_relative_bias_shapes(v.rows, v.cols, y.rows, y.cols);
  if (y.empty()) return;
  const gpu::Program& program = device.program("relative_bias");
  program.set("heads", static_cast<unsigned>(v.rows));
  program.set("tokens", static_cast<unsigned>(y.cols));

  const gpu::Buffer v_buffer(v), y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&v_buffer, &y_buffer};
  device.dispatch_elements(program, buffers, y.size());
  y_buffer.read(y);
}

}  // namespace orrery::position
