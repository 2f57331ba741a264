// The device's own clock.
#pragma once

#include <functional>

namespace orrery::gpu {

/// Milliseconds from the first to the last of the commands that `work` sends, as the device counts them. Some software
/// drivers only pretend to have such a clock: compare it with the wall's before it is believed.
double device_milliseconds(const std::function<void()>& work);

}  // namespace orrery::gpu
