#pragma once

#include <string>
#include <vector>

namespace orrery::gui {

/// The libraries that make the window, each with its version: "GLFW 3.3.8".
std::vector<std::string> libraries();

}  // namespace orrery::gui
