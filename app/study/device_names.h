// What the devices are called, on the command line and in recipes.
#pragma once

#include <array>
#include <string_view>

#include "app/study/study.h"

namespace orrery::study {

/// In the order of DeviceChoice.
inline constexpr std::array<std::string_view, 3> device_names{"ref", "cpu", "gpu"};

}  // namespace orrery::study
