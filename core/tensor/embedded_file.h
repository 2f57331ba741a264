// A text file that the build made a constant of the program: shaders, built-in recipes. See orrery_embed in CMakeLists.txt.
#pragma once

namespace orrery::tensor {

struct EmbeddedFile {
  const char* name;  ///< as below its folder: "rms_norm.comp", "lib/reduce.glsl"
  const char* text;
};

}  // namespace orrery::tensor
