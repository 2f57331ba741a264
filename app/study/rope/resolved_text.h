// What a configuration says, resolved, as lines of a picture.
#pragma once

#include "app/figure/figure.h"
#include "core/model/rope_config.h"

namespace orrery::study {

/// Every layer's numbers, and all warnings below them, as a panel without axes. Beside other panels (not `alone`) only so
/// many lines as there is room for, and how many are left out.
figure::Panel resolved_panel(const model::RopeConfig&, bool alone);

}  // namespace orrery::study
