// Shaders of a test's own, read in place of the program's.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/core/gpu/gl_test.h"

namespace orrery::gpu {

/// A copy of shaders/ in a temporary folder that ORRERY_SHADER_DIR names for as long as this lives.
class ShaderFolder {
 public:
  ShaderFolder() {
    std::filesystem::copy(ORRERY_SOURCE_DIR "/shaders", path_, std::filesystem::copy_options::recursive);
  }
  ~ShaderFolder() { std::filesystem::remove_all(path_); }
  ShaderFolder(const ShaderFolder&) = delete;
  ShaderFolder& operator=(const ShaderFolder&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

 private:
  static std::filesystem::path unique_path() {
    std::string path = (std::filesystem::temp_directory_path() / "orrery-shaders-XXXXXX").string();
    if (!mkdtemp(path.data())) throw Failure("no temporary folder: " + path);
    return path;
  }

  std::filesystem::path path_ = unique_path();
  Environment environment_{"ORRERY_SHADER_DIR", path_.string()};
};

}  // namespace orrery::gpu
