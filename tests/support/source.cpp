#include "tests/support/source.h"

namespace orrery::support {

std::string source(std::string_view path) {
  std::string all = ORRERY_SOURCE_DIR;
  if (!path.empty()) all.append("/").append(path);
  return all;
}

}  // namespace orrery::support
