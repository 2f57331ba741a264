#include "core/file/base_folder.h"

#include <cstdlib>

namespace orrery::file {

std::filesystem::path base_folder(const char* variable, const std::filesystem::path& below_home) {
  if (const char* given = std::getenv(variable); given != nullptr && *given == '/') return given;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / below_home;
  return {};
}

}  // namespace orrery::file
