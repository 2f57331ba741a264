#include <vector>

#include "core/gpu/device.h"
#include "core/norm/layer_norm.h"
#include "core/tensor/declined.h"

namespace orrery::norm {

void layer_norm_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const LayerNormParams& params, tensor::View<float> y) {
  if (params.estimator != Estimator::two_pass)
    throw Declined(
        about("estimator").fault("the gpu takes two passes only").allowed("two_pass, or ref and cpu"));
  if (x.empty()) return;
  std::vector<std::string> defines;
  if (!weight.empty()) defines.emplace_back("WEIGHT");
  if (!bias.empty()) defines.emplace_back("BIAS");
  if (params.variant == LayerNormVariant::annotated) defines.emplace_back("ANNOTATED");
  const gpu::Program& program = device.program("layer_norm", defines);
  program.set("rows", static_cast<unsigned>(x.rows));
  program.set("cols", static_cast<unsigned>(x.cols));
  program.set("eps", static_cast<float>(params.eps));

  const gpu::Buffer x_buffer(x), weight_buffer(weight), bias_buffer(bias),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &weight_buffer, &bias_buffer};
  device.dispatch_groups(program, buffers, x.rows, gpu::Loops::over_row(x.cols, 4));
  y_buffer.read(y);
}

}  // namespace orrery::norm
