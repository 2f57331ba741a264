// orrery --version --verbose: what a report of a fault should hold. The program, how it was built, what it runs on and with,
// and where it keeps things; nothing of what a person did with it.
#pragma once

#include "app/cli/cli.h"

namespace orrery::cli {

/// The version and its libraries, and all else where it is `verbose`; as JSON or for people. Prints it.
void print_version(const Program&, bool verbose, bool json);

}  // namespace orrery::cli
