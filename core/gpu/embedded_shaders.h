// The shader files as constants of the program; the table itself is generated from shaders/ by the build.
#pragma once

namespace orrery::gpu {

struct EmbeddedShader {
  const char* name;  ///< "rms_norm.comp", "lib/reduce.glsl"
  const char* text;
};

extern const EmbeddedShader embedded_shaders[];
extern const int embedded_shader_count;

}  // namespace orrery::gpu
