// What the devices are called, on the command line and in recipes.
#pragma once

#include <array>
#include <string_view>

#include "app/study/study.h"

namespace orrery::study {

/// In the order of DeviceChoice.
inline constexpr std::array<std::string_view, 3> device_names{"ref", "cpu", "gpu"};

constexpr std::string_view device_name(DeviceChoice device) {
  return device_names[static_cast<std::size_t>(device)];
}

}  // namespace orrery::study
