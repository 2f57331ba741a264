// Above the figure: what it is, and the way back to panes that are hidden.
#pragma once

#include "app/gui/pane_layout.h"
#include "app/gui/panels.h"

namespace orrery::gui {

/// In the window that is being drawn, from its top on; returns how high it is.
float page_head(const App&, Ui&, const PaneLayout&, WindowWishes&);

}  // namespace orrery::gui
