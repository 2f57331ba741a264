// Model types whose positions do not rotate, or not by themselves.
#pragma once

#include <span>
#include <string_view>

#include "core/model/position_kinds.h"

namespace orrery::model {

struct OtherPositions {
  std::string_view model_type;  ///< as plain_type spells it
  Positions decoder;            ///< or of the only stack
  Stacks stacks = Stacks::decoder;
  Positions encoder = decoder;
};

/// In alphabetical order.
std::span<const OtherPositions> all_other_positions();
/// nullptr: not among them.
const OtherPositions* other_positions(std::string_view plain_type);

}  // namespace orrery::model
