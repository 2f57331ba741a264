#include <vector>

#include "core/gpu/device.h"
#include "core/norm/instance_norm.h"

namespace orrery::norm {

using tensor::Index;

/// The shader of batch_norm, with as many work groups for each sample as it has for a batch.
void instance_norm_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
                       std::span<const float> bias, const InstanceNormParams& params, tensor::View<float> y) {
  if (x.empty()) return;
  std::vector<std::string> defines{"SAMPLES"};
  if (!weight.empty()) defines.emplace_back("WEIGHT");
  if (!bias.empty()) defines.emplace_back("BIAS");
  const gpu::Program& program = device.program("batch_norm", defines);
  const Index positions = params.positions, samples = x.rows / positions;
  program.set("rows", static_cast<unsigned>(positions));
  program.set("cols", static_cast<unsigned>(x.cols));
  program.set("samples", static_cast<unsigned>(samples));
  program.set("eps", static_cast<float>(params.eps));

  const gpu::Buffer x_buffer(x), weight_buffer(weight), bias_buffer(bias),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &weight_buffer, &bias_buffer};
  constexpr Index columns =
      16;  // to a work group, and as many invocations to a column, as in batch_norm.comp
  device.dispatch_groups(program, buffers, samples * ((x.cols + columns - 1) / columns),
                         {.length = positions, .at_a_time = columns, .passes = 4});
  y_buffer.read(y);
}

}  // namespace orrery::norm
