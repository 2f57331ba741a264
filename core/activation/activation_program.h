// Shaders that apply an activation: its name as the macro ACTIVATION, its constants as uniforms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/activation/activation.h"

namespace orrery::gpu {
class Program;
}

namespace orrery::activation {

const gpu::Program& activation_program(gpu::Device&, std::string_view shader, const ActivationParams&,
                                       std::vector<std::string> defines = {});

}  // namespace orrery::activation
