// The options of an axis environment.
#pragma once

#include <string>

#include "app/export/pgf/numbers.h"
#include "app/export/pgf/palette.h"
#include "app/figure/scene.h"

namespace orrery::exporter::pgf {

/// What all axes of a file share: fonts, lines, where words stand.
std::string common_style(const figure::Theme&, Palette&);

/// at, width, height of a plot on the page.
std::string place(const figure::Rect& plot, double page_height);

/// Range, scale, ticks and title of one axis; `record` is null for one that is not drawn.
std::string axis_options(char letter, const AxisMap&, const figure::AxisRecord* record,
                         const figure::Rect& plot, const figure::Scene&, const figure::Theme&);

/// Which of the two lines stand, and where.
std::string line_options(const figure::AxisRecord* x, const figure::AxisRecord* y, bool frame);

/// A panel's title in its lines, where the layout put it; empty for a panel without one.
std::string title_options(const figure::PanelRecord&, const figure::Rect& plot, const figure::Scene&,
                          const figure::Theme&, Palette&);

/// The colour bar; its colours are those of `ramp`, from the least value on.
std::string bar_options(const figure::BarRecord&, const figure::Rect& box, const figure::Scene&,
                        const figure::Theme&);

}  // namespace orrery::exporter::pgf
