#include "app/gui/shader_watch.h"

#include <cstdlib>
#include <functional>
#include <string>

#include "core/file/listing.h"

namespace orrery::gui {

namespace fs = std::filesystem;

namespace {

/// A number that another state of the folder does not have. A file that goes while it is looked at: the next look sees it gone.
std::uint64_t state_of(const fs::path& folder) {
  std::uint64_t sum = 0;
  file::Listing files(folder);
  while (const auto path = files.next()) {
    std::error_code gone;
    const auto time = fs::last_write_time(*path, gone).time_since_epoch().count();
    const std::string state = path->string() + ' ' + std::to_string(time);
    sum += std::hash<std::string>{}(state);  // in whatever order the folder gives them
    if (fs::symlink_status(*path, gone).type() == fs::file_type::directory) sum += state_of(*path);
  }
  return sum;
}

}  // namespace

ShaderWatch::ShaderWatch() {
  if (const char* folder = std::getenv("ORRERY_SHADER_DIR")) folder_ = folder;
  seen_ = state_of(folder_);
}

bool ShaderWatch::changed(double seconds) {
  if (!on()) return false;
  since_ += seconds;
  if (since_ < period) return false;
  since_ = 0;
  const std::uint64_t now = state_of(folder_);
  const bool other = now != seen_;
  seen_ = now;
  return other;
}

}  // namespace orrery::gui
