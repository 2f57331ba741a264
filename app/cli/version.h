#pragma once

#include <string>

#include "app/cli/cli.h"

namespace orrery::cli {

/// The program's version and, a line each, those of the libraries it runs with: what a report of a fault
/// should hold.
std::string version_text(const Program&);

}  // namespace orrery::cli
