// Which files a parameter is for, by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/parameter/parameter.h"

namespace orrery::parameter {

/// How well a file's name fits Parameter::takes: 2 for a whole name that is listed, 1 for an ending, 0 for none. Capitals
/// are not told apart; what stands behind a # names a part of the file; the index of several .safetensors,
/// NAME.safetensors.index.json, fits where they do. A list that is empty takes everything.
int taken(std::string_view takes, std::string_view file_name);

/// "config.json" and ".json": whole names and endings.
std::vector<std::string_view> each_taken(std::string_view takes);

/// "config.json, .json"
std::string takes_text(std::string_view takes);

}  // namespace orrery::parameter
