// What surprises people in a configuration or a rule, as JSON and for people. Shared by rope, model and apply.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/position/rope_frequencies.h"

namespace orrery::cli {

/// [{"field": …, "message": …}, …]
nlohmann::ordered_json warnings_json(std::span<const position::RopeWarning>);
/// "field: message", one line: what a file says goes no further than to its end.
std::string warning_text(const position::RopeWarning&);

}  // namespace orrery::cli
