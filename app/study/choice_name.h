// How a choice is written where it is read, and not typed: "RMSNorm" for rms_norm.
#pragma once

#include <string>
#include <string_view>

#include "core/parameter/parameter.h"

namespace orrery::study {

/// As papers write what is a proper name; of others, words with spaces between them. Ops are called as they are typed.
std::string choice_name(const parameter::Parameter&, std::string_view choice);

}  // namespace orrery::study
