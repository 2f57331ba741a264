// What a configuration says, resolved, as paragraphs of a picture.
#pragma once

#include "app/figure/figure.h"
#include "core/model/rope_config.h"

namespace orrery::study {

/// Every layer's numbers, and all warnings below them, as a panel without axes: as much as the page has room for.
figure::Panel resolved_panel(const model::RopeConfig&);

}  // namespace orrery::study
