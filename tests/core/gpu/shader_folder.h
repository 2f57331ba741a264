// Shaders of a test's own, read in place of the program's.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/core/gpu/gl_test.h"
#include "tests/support/source.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gpu {

/// A copy of shaders/ in a temporary folder that ORRERY_SHADER_DIR names for as long as this lives.
class ShaderFolder {
 public:
  ShaderFolder() {
    std::filesystem::copy(orrery::support::source("shaders"), folder_.path(),
                          std::filesystem::copy_options::recursive);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

 private:
  const support::TemporaryFolder folder_;
  Environment environment_{"ORRERY_SHADER_DIR", folder_.string()};
};

}  // namespace orrery::gpu
