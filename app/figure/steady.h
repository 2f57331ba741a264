// Figures that are seen one after another: their axes stand still.
#pragma once

#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

/// Gives panels in the same place the range that holds what every one of them shows, and their colours likewise.
/// Where figures differ in their panels, or a panel in its marks or its scale, that is left as it was.
void share_ranges(std::vector<Figure>&);

}  // namespace orrery::figure
