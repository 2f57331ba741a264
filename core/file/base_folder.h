// Where a person's own files lie, by the XDG Base Directory Specification.
#pragma once

#include <filesystem>

namespace orrery::file {

/// $XDG_DATA_HOME, say, or what lies below $HOME; a relative path in either is ignored, as the specification has it. Empty
/// where neither is one: then there is nowhere to keep anything, and no folder of everybody's stands in.
std::filesystem::path base_folder(const char* variable, const std::filesystem::path& below_home);

}  // namespace orrery::file
