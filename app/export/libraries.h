#pragma once

#include <string>
#include <vector>

namespace orrery::exporter {

/// The libraries that set text and write files, each with its version: "Cairo 1.16.0".
std::vector<std::string> libraries();

}  // namespace orrery::exporter
