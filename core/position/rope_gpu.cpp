#include <vector>

#include "core/gpu/device.h"
#include "core/position/rope.h"

namespace orrery::position {

void rope_gpu(gpu::Device& device, tensor::View<const float> x, tensor::View<const float> cos,
              tensor::View<const float> sin, RopeLayout layout, tensor::View<float> y, tensor::Index first) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols, first);
  if (x.empty()) return;
  std::vector<std::string> defines;
  if (layout == RopeLayout::half) defines.emplace_back("HALF");
  const gpu::Program& program = device.program("rope", defines);
  program.set("rows", static_cast<unsigned>(x.rows));
  program.set("cols", static_cast<unsigned>(x.cols));
  program.set("tokens", static_cast<unsigned>(cos.rows));
  program.set("pairs", static_cast<unsigned>(cos.cols));
  program.set("first", static_cast<unsigned>(first));

  const gpu::Buffer x_buffer(x), cos_buffer(cos), sin_buffer(sin),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &cos_buffer, &sin_buffer};
  device.dispatch_elements(program, buffers, x.rows * (x.cols - cos.cols));
  y_buffer.read(y);
}

}  // namespace orrery::position
