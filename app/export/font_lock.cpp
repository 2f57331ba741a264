#include "app/export/font_lock.h"

namespace orrery::exporter {

std::recursive_mutex& FontLock::mutex() {
  static std::recursive_mutex only;
  return only;
}

}  // namespace orrery::exporter
