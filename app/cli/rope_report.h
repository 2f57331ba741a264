// What a model's configuration says about rotary positions, as JSON and for people. Shared by rope and
// inspect.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/model/rope_config.h"

namespace orrery::cli {

nlohmann::ordered_json rope_json(const model::RopeConfig&);
std::string rope_text(const model::RopeConfig&);

}  // namespace orrery::cli
