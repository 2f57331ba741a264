#include "core/activation/gate_program.h"
#include "core/activation/glu.h"
#include "core/gpu/device.h"

namespace orrery::activation {

void glu_gpu(gpu::Device& device, tensor::View<const float> x, const GluParams& params,
             tensor::View<float> y) {
  if (y.empty()) return;
  std::vector<std::string> defines;
  if (params.interleaved) defines.emplace_back("INTERLEAVED");
  const gpu::Program& program = gate_program(device, "glu", params.gate, defines);
  program.set("count", static_cast<unsigned>(y.size()));
  program.set("width", static_cast<unsigned>(y.cols));
  program.set("gated", params.gated == Half::first ? 0u : 1u);

  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer};
  device.dispatch_elements(program, buffers, y.size());
  y_buffer.read(y);
}

}  // namespace orrery::activation
