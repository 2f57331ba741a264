#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/cli.h"

namespace orrery::cli {

/// "Cairo", "1.16.0": what it runs with.
std::vector<std::pair<std::string, std::string>> library_versions(const Program&);

/// The program's version and, a line each, those of the libraries it runs with: what a report of a fault
/// should hold.
std::string version_text(const Program&);

}  // namespace orrery::cli
