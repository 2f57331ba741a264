#include <vector>

#include "core/gpu/device.h"
#include "core/norm/batch_norm.h"

namespace orrery::norm {

void batch_norm_gpu(gpu::Device& device, tensor::View<const float> x, std::span<const float> weight,
                    std::span<const float> bias, const BatchNormParams& params, tensor::View<float> y) {
  check_batch_norm(params, x.cols);
  if (x.empty()) return;
  const bool given = params.by_given_statistics();
  std::vector<std::string> defines;
  if (!weight.empty()) defines.emplace_back("WEIGHT");
  if (!bias.empty()) defines.emplace_back("BIAS");
  const gpu::Program& program = device.program(given ? "batch_norm_given" : "batch_norm", defines);
  program.set("rows", static_cast<unsigned>(x.rows));
  program.set("cols", static_cast<unsigned>(x.cols));
  program.set("eps", static_cast<float>(params.eps));

  const gpu::Buffer x_buffer(x), weight_buffer(weight), bias_buffer(bias),
      y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  if (given) {
    const auto floats = [](const std::vector<double>& v) { return std::vector<float>(v.begin(), v.end()); };
    const std::vector<float> mean = floats(params.mean), variance = floats(params.variance);
    const gpu::Buffer mean_buffer{std::span<const float>(mean)},
        variance_buffer{std::span<const float>(variance)};
    const gpu::Buffer* const buffers[] = {&x_buffer,    &y_buffer,    &weight_buffer,
                                          &bias_buffer, &mean_buffer, &variance_buffer};
    device.dispatch_elements(program, buffers, x.size());
    return y_buffer.read(y);
  }
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer, &weight_buffer, &bias_buffer};
  constexpr tensor::Index columns =
      16;  // to a work group, and as many invocations to a column, as in batch_norm.comp
  device.dispatch_groups(program, buffers, (x.cols + columns - 1) / columns,
                         {.length = x.rows, .at_a_time = columns, .passes = 4});
  y_buffer.read(y);
}

}  // namespace orrery::norm
