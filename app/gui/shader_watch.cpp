#include "app/gui/shader_watch.h"

#include <cstdlib>
#include <functional>
#include <string>

namespace orrery::gui {

namespace fs = std::filesystem;

ShaderWatch::ShaderWatch() {
  if (const char* folder = std::getenv("ORRERY_SHADER_DIR")) folder_ = folder;
  seen_ = look();
}

bool ShaderWatch::changed(double seconds) {
  if (!on()) return false;
  since_ += seconds;
  if (since_ < period) return false;
  since_ = 0;
  const std::uint64_t now = look();
  const bool other = now != seen_;
  seen_ = now;
  return other;
}

std::uint64_t ShaderWatch::look() const {
  std::uint64_t sum = 0;
  std::error_code error;  // a file that goes while it is looked at: the next look sees it gone
  for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const auto time = it->last_write_time(gone).time_since_epoch().count();
    const std::string state = it->path().string() + ' ' + std::to_string(time);
    sum += std::hash<std::string>{}(state);  // in whatever order the folder gives them
  }
  return sum;
}

}  // namespace orrery::gui
