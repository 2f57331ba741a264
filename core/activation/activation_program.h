// Shaders that apply an activation: its name as the macro ACTIVATION, its constants as uniforms.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/activation/activation.h"

namespace orrery::gpu {
class Program;
}

namespace orrery::activation {

const gpu::Program& activation_program(gpu::Device&, std::string_view shader, const ActivationParams&,
                                       std::span<const std::string> defines = {});

}  // namespace orrery::activation
