// Shaders that are edited while the window runs: the folder of ORRERY_SHADER_DIR, looked at twice a second.
#pragma once

#include <cstdint>
#include <filesystem>

namespace orrery::gui {

class ShaderWatch {
 public:
  static constexpr double period = 0.5;  ///< seconds

  /// Of the folder that the environment names; without one there is nothing to watch.
  ShaderWatch();
  bool on() const { return !folder_.empty(); }
  /// Once per frame, with the seconds since the last; true when a file has come, gone or changed since it said so last.
  bool changed(double seconds);

 private:
  std::filesystem::path folder_;
  std::uint64_t seen_ = 0;  ///< the state of the folder, as a number
  double since_ = 0;
};

}  // namespace orrery::gui
