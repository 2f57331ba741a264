// When a parameter is read at all. Most always are; some only for certain values of others: the width of a window only
// under a sliding mask. Whatever shows a parameter can say so, instead of letting a person turn what turns nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameter/parameter.h"
#include "core/parameter/settings.h"

namespace orrery::parameter {

/// One part of Parameter::only_when: "rule=yarn|llama3".
struct Condition {
  std::string_view name;                 ///< of the other parameter
  std::vector<std::string_view> values;  ///< the canonical texts that meet it; "" is a path that is not given
};
std::vector<Condition> conditions_of(const Parameter&);

/// The first condition that these settings do not meet; nothing: the parameter is read.
std::optional<Condition> unmet(const Parameter&, const Settings&);

/// Changes what must be changed for it to be read: to the first value of each condition that is not met.
void meet_conditions(const Parameter&, Settings&);

}  // namespace orrery::parameter
