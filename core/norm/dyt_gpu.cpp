#include <vector>

#include "core/gpu/device.h"
#include "core/norm/dyt.h"

namespace orrery::norm {

void dyt_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
             std::span<const float> bias, const DytParams& params, tensor::View<float> y) {
  if (x.empty()) return;
  std::vector<std::string> defines;
  if (!weight.empty()) defines.emplace_back("WEIGHT");
  if (!bias.empty()) defines.emplace_back("BIAS");
  const gpu::Program& program = device.program("dyt", defines);
  program.set("count", static_cast<unsigned>(x.size()));
  if (!defines.empty()) program.set("cols", static_cast<unsigned>(x.cols));
  program.set("alpha", static_cast<float>(params.alpha));

  const gpu::Buffer x_buffer(x), weight_buffer(weight), bias_buffer(bias),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &weight_buffer, &bias_buffer};
  device.dispatch_elements(program, buffers, x.size());
  y_buffer.read(y);
}

}  // namespace orrery::norm
