#include "core/simd/target.h"

#include <hwy/highway.h>

namespace orrery::simd {

std::string target() {
  // Better ones are lower bits.
  const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

std::string library_version() {
  return std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH);
}

}  // namespace orrery::simd
