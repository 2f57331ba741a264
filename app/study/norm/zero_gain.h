// The gradient of a norm's gain in two blocks, as the gain goes to 0: y = γ x̂ enters attention, or a SwiGLU network.
#pragma once

#include <cstdint>

#include "app/study/kit/series.h"

namespace orrery::study {

/// "zero_gain": the root mean square of dL/dγ for gains from 0 to 1, with random weights and a random dL/d(output).
Series zero_gain(std::uint64_t seed);

}  // namespace orrery::study
