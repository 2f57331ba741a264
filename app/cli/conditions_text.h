// When a parameter is read, in words.
#pragma once

#include <string>

#include "core/parameter/parameter.h"

namespace orrery::cli {

/// "model is own, and vector is empty": names and values as they are typed.
std::string conditions_text(const parameter::Parameter&);

}  // namespace orrery::cli
