// Pan and zoom as arithmetic: a panel as it stands, a gesture, and the ranges that come of it. No window.
#pragma once

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::gui {

using PanelView = figure::View::PanelView;

struct Axes {
  bool x = true, y = true;
  bool operator==(const Axes&) const = default;
};

/// What was at `from` is at `to`.
PanelView panned(const figure::PanelFrame&, figure::Point from, figure::Point to, Axes = {});
/// `factor` above 1 shows less, larger; what is under the pointer stays there.
PanelView zoomed(const figure::PanelFrame&, figure::Point at, double factor, Axes);
/// The box becomes the whole panel.
PanelView boxed(const figure::PanelFrame&, const figure::Rect& box, Axes);

/// Which axes a pointer is over: inside the plot both, over the labels below or beside it that one, elsewhere
/// none.
Axes axes_at(const figure::PanelFrame&, figure::Point);
/// The panel whose plot, or else whose labels, are under the pointer; −1 for none.
int panel_at(const figure::Scene&, figure::Point);

/// The ranges of those axes; what else was asked of the panel stays.
void set_view(figure::View&, int panel, const PanelView& ranges, Axes = {});

}  // namespace orrery::gui
