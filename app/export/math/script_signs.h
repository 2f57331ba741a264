// Signs in scripts. Latin Modern Math has letters drawn for scripts but signs in one size, which scaled down are
// narrow and thin beside them; Computer Modern draws them larger, and so they are set here.
#pragma once

#include "app/export/math/node.h"

namespace orrery::exporter::math {

/// Times what scaling down alone would give. The size grows about the axis; the advance is what air makes it.
struct SignGrowth {
  double size = 1;
  double advance = 1;
};

/// `script` is 1 in scripts, 2 in their scripts.
SignGrowth sign_growth(const Node& symbol, int script);

}  // namespace orrery::exporter::math
