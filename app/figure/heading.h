// What stands above all panels: the figure's sentence, and, of a figure that moves, where it is on its way.
#pragma once

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// How high it is with the gap below it, where it has all the room that it wants.
double heading_height(const Figure&, const LayoutOptions&, const Rect& area, const Theme&,
                      const TextMetrics&);

/// Draws it at the top of the area, first of all that the scene holds, and says how high it is with the gap below it.
double draw_heading(const Figure&, const LayoutOptions&, const Rect& area, const Theme&, const TextMetrics&,
                    Scene&);

}  // namespace orrery::figure
