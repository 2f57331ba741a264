// How much of what is drawn a box would cover.
#pragma once

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// Points of line length, or what weighs as much: an area counts as its size over `em`, a marker or a word as
/// several em.
double covered(const Rect& box, const Primitive&, double em, const TextMetrics&);

}  // namespace orrery::figure
