// The crosshair, the rings at the samples, and the small box that says their values.
#pragma once

#include "app/gui/readout.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// The hairline and the rings, or the outline of a cell.
void draw_crosshair(Ui&, ImDrawList&, ImVec2 origin, const Readout&, const figure::Rect& plot);
void draw_read_out_box(Ui&, ImDrawList&, ImVec2 origin, const Readout&, const figure::Rect& plot,
                       figure::Point pointer);

}  // namespace orrery::gui
