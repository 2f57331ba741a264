// Ops on the graphics device, against copies on it. The arrays lie on the device before the clock starts: what is timed is
// the op's own dispatches, each repeated in turn with a shader that copies (or writes) as many bytes, or does as many
// multiply-adds. An op of several dispatches takes the sum of their times.
#pragma once

#include <string>

#include "core/bench/benchmark.h"

namespace orrery::bench {

/// The device's name, and by which clock it is timed: its own, or the wall's where its own does not agree with that.
std::string device_and_clock();

/// `case` is one of the gpu: its call must dispatch on the device of this thread. Throws Failure where it does not.
Result measure_on_device(const Case&, const Options&);

}  // namespace orrery::bench
