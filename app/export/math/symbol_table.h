// The commands that are one character: TeX's, amsmath's and amssymb's.
#pragma once

#include <vector>

#include "app/export/math/symbols.h"

namespace orrery::exporter::math {

/// In the order in which a character typed as itself looks for its class: the first one counts.
std::vector<Symbol> symbol_table();

}  // namespace orrery::exporter::math
