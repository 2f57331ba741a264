#include <vector>

#include "core/gpu/device.h"
#include "core/norm/group_norm.h"

namespace orrery::norm {

/// A work group to each group of each row: to the shader of layer_norm, rows of D/G columns whose weights come in turns.
void group_norm_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const GroupNormParams& params, tensor::View<float> y) {
  if (x.empty()) return;
  std::vector<std::string> defines{"GROUPS"};
  if (!weight.empty()) defines.emplace_back("WEIGHT");
  if (!bias.empty()) defines.emplace_back("BIAS");
  const gpu::Program& program = device.program("layer_norm", defines);
  program.set("rows", static_cast<unsigned>(x.rows * params.groups));
  program.set("cols", static_cast<unsigned>(x.cols / params.groups));
  if (defines.size() > 1)  // else nothing reads it, and it is no uniform
    program.set("groups", static_cast<unsigned>(params.groups));
  program.set("eps", static_cast<float>(params.eps));

  const gpu::Buffer x_buffer(x), weight_buffer(weight), bias_buffer(bias),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &weight_buffer, &bias_buffer};
  device.dispatch_groups(program, buffers, x.rows * params.groups,
                         gpu::Loops::over_row(x.cols / params.groups, 4));
  y_buffer.read(y);
}

}  // namespace orrery::norm
