#include <string>
#include <vector>

#include "core/activation/activation.h"
#include "core/activation/activation_program.h"
#include "core/gpu/device.h"

namespace orrery::activation {

const gpu::Program& activation_program(gpu::Device& device, std::string_view shader,
                                       const ActivationParams& params, std::span<const std::string> own) {
  std::vector<std::string> defines(own.begin(), own.end());
  // In GLSL, `tanh` is taken.
  const std::string function(params.kind == Kind::tanh ? "hyperbolic_tangent" : name(params.kind));
  defines.push_back("ACTIVATION " + function);
  const gpu::Program& program = device.program(shader, defines);
  if (params.kind == Kind::leaky_relu || params.kind == Kind::elu)
    program.set("alpha", static_cast<float>(params.alpha));
  if (params.kind == Kind::swish || params.kind == Kind::softplus) {
    // In two floats: an error of β is one of the exponent.
    const float upper = static_cast<float>(params.beta);
    program.set("beta_upper", upper);
    program.set("beta_lower", static_cast<float>(params.beta - static_cast<double>(upper)));
  }
  return program;
}

void activation_gpu(gpu::Device& device, tensor::View<const float> x, const ActivationParams& params,
                    tensor::View<float> y) {
  if (x.empty()) return;
  const gpu::Program& program = activation_program(device, "activation", params);
  program.set("count", static_cast<unsigned>(x.size()));

  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer};
  device.dispatch_elements(program, buffers, x.size());
  y_buffer.read(y);
}

}  // namespace orrery::activation
