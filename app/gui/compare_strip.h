// A strip above the figure while something is pinned: what A is, how both are shown, what could not be compared.
#pragma once

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// Draws at the cursor; returns its height, 0 where nothing is pinned.
float compare_strip(App&, Ui&, float width);

}  // namespace orrery::gui
