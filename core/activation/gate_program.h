// Shaders that hold a gated unit, see lib/gate.glsl.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/activation/gate.h"

namespace orrery::gpu {
class Device;
class Program;
}  // namespace orrery::gpu

namespace orrery::activation {

const gpu::Program& gate_program(gpu::Device&, std::string_view shader, const Gate&,
                                 std::span<const std::string> defines = {});

}  // namespace orrery::activation
