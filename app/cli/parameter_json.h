// A declared parameter as JSON: of a study, of an op.
#pragma once

#include <nlohmann/json.hpp>

#include "core/parameter/parameter.h"

namespace orrery::cli {

nlohmann::ordered_json parameter_json(const parameter::Parameter&);

}  // namespace orrery::cli
