#include <vector>

#include "core/gpu/device.h"
#include "core/norm/rms_norm.h"

namespace orrery::norm {

void rms_norm_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
                  std::span<const float> bias, const RmsNormParams& params, tensor::View<float> y) {
  if (x.empty()) return;
  std::vector<std::string> defines;
  if (!weight.empty()) defines.emplace_back("WEIGHT");
  if (!bias.empty()) defines.emplace_back("BIAS");
  if (params.eps_place == EpsPlace::outside) defines.emplace_back("EPS_OUTSIDE");
  const gpu::Program& program = device.program("rms_norm", defines);
  program.set("rows", static_cast<unsigned>(x.rows));
  program.set("cols", static_cast<unsigned>(x.cols));
  program.set("counted", static_cast<unsigned>(counted_columns(x.cols, params)));
  program.set("eps", static_cast<float>(params.eps));
  if (!weight.empty()) program.set("weight_offset", static_cast<float>(params.weight_offset));

  const gpu::Buffer x_buffer(x), weight_buffer(weight), bias_buffer(bias),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &weight_buffer, &bias_buffer};
  device.dispatch_groups(program, buffers, x.rows, gpu::Loops::over_row(x.cols, 3));
  y_buffer.read(y);
}

}  // namespace orrery::norm
