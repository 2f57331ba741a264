#include "core/activation/activation_program.h"
#include "core/activation/gate_program.h"
#include "core/gpu/device.h"

namespace orrery::activation {

const gpu::Program& gate_program(gpu::Device& device, std::string_view shader, const Gate& gate,
                                 std::span<const std::string> own) {
  std::vector<std::string> defines(own.begin(), own.end());
  if (gate.limited()) defines.emplace_back("LIMIT");
  if (gate.offset != 0) defines.emplace_back("OFFSET");
  if (gate.linear) defines.emplace_back("ACTIVATION identity");
  const gpu::Program& program = gate.linear ? device.program(shader, defines)
                                            : activation_program(device, shader, gate.activation, defines);
  if (gate.limited()) program.set("limit", static_cast<float>(gate.limit));
  if (gate.offset != 0) {
    const auto upper = static_cast<float>(gate.offset);
    program.set("offset_upper", upper);
    program.set("offset_lower", static_cast<float>(gate.offset - static_cast<double>(upper)));
  }
  return program;
}

}  // namespace orrery::activation
