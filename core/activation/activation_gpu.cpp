#include <string>

#include "core/activation/activation.h"
#include "core/gpu/device.h"

namespace orrery::activation {
namespace {

const char* shader_function(Kind kind) {
  switch (kind) {
    case Kind::relu:
      return "relu";
    case Kind::gelu:
      return "gelu";
    case Kind::gelu_tanh:
      return "gelu_tanh";
    case Kind::silu:
      break;
  }
  return "silu";
}

}  // namespace

void activation_gpu(gpu::Device& device, tensor::View<const float> x, Kind kind, tensor::View<float> y) {
  if (x.empty()) return;
  const std::string define = std::string("ACTIVATION ") + shader_function(kind);
  const gpu::Program& program = device.program("activation", {&define, 1});
  program.set("count", static_cast<unsigned>(x.size()));

  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(x.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer};
  device.dispatch_elements(program, buffers, x.size());
  y_buffer.read(y);
}

}  // namespace orrery::activation
