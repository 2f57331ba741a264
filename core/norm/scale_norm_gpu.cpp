#include "core/gpu/device.h"
#include "core/norm/scale_norm.h"

namespace orrery::norm {

void scale_norm_gpu(gpu::Device& device, tensor::View<const float> x, float gain,
                    const ScaleNormParams& params, tensor::View<float> y) {
  if (x.empty()) return;
  const gpu::Program& program = device.program("scale_norm");
  program.set("rows", static_cast<unsigned>(x.rows));
  program.set("cols", static_cast<unsigned>(x.cols));
  program.set("gain", gain);
  program.set("eps", static_cast<float>(params.eps));

  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer};
  device.dispatch_groups(program, buffers, x.rows, gpu::Loops::over_row(x.cols, 3));
  y_buffer.read(y);
}

}  // namespace orrery::norm
