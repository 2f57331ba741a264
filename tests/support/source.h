// Files of the sources that a test reads: numbers from elsewhere, models, shaders.
#pragma once

#include <string>
#include <string_view>

namespace orrery::support {

/// The absolute path of a file or folder of the sources, "tests/reference/values.json". Known to one translation unit
/// only: what a compiler is told about every other test is the same in every clone, and so is what ccache keeps.
std::string source(std::string_view path = {});

}  // namespace orrery::support
