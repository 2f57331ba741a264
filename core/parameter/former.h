// What a choice was once called: old recipes and figures still open.
//
// In Parameter::choices, "derivatives<slopes" is the choice derivatives, once written slopes; "a<b<c" had two names before.
// A former name is read wherever a choice is set, from then on it is today's; nothing lists or writes it.
#pragma once

#include <string_view>

#include "core/parameter/parameter.h"

namespace orrery::parameter {

/// One of the names in Parameter::choices without those that it had before.
constexpr std::string_view todays_name(std::string_view choice) {
  return choice.substr(0, choice.find('<'));
}

/// Today's name of a choice that `text` once was; of everything else, `text` itself.
std::string_view todays_choice(const Parameter&, std::string_view text);

}  // namespace orrery::parameter
