// What a legend shows of a mark: a small piece of it.
#pragma once

#include "app/figure/figure.h"
#include "app/figure/scene.h"
#include "app/figure/theme.h"

namespace orrery::figure {

/// Of a mark that has a label; a hidden one is pale.
void draw_sample(const Mark&, const Rect& box, const Theme&, bool hidden, Scene&);

}  // namespace orrery::figure
