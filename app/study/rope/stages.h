// The steps of a rotation that may be done in few bits: their names, and what they can cost.
#pragma once

#include <string_view>

#include "core/position/rope_staged.h"

namespace orrery::study {

inline constexpr std::string_view stage_names = "result|rotation|table|angle|frequencies|positions";
position::RopeStage stage_from_name(std::string_view);

/// How far a turned vector may be off, over its length, when the stage is rounded to `low` and the others to
/// `accumulate`, for values that both formats hold. `largest_angle`: of its pairs, or their mean where that counts.
double turned_vector_error(position::RopeStage, tensor::Format low, tensor::Format accumulate,
                           double largest_angle);

}  // namespace orrery::study
