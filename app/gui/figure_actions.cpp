#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

template <FigureWish wish>
void ask(Reach& r) {
  r.wishes.figure = wish;
}

/// The figure alone, and back again.
void toggle_panes(Reach& r) {
  r.app.edit("Panes", {}, [](Document& d) {
    const bool alone = !d.panes.list_shown && !d.panes.inspector_shown && !d.panes.tray_shown;
    d.panes.list_shown = d.panes.inspector_shown = alone;
    d.panes.tray_shown = false;
  });
}

bool figure_alone(const Reach& r) {
  const Panes& panes = r.app.document().panes;
  return !panes.list_shown && !panes.inspector_shown && !panes.tray_shown;
}

constexpr std::array figure_table{
    Action{.id = "fit",
           .label = "Fit the figure",
           .group = Group::figure,
           .keys = "Home",
           .run = ask<FigureWish::fit>},
    Action{.id = "fit-panel",
           .label = "Fit the panel under the pointer",
           .group = Group::figure,
           .keys = "H R",
           .run = ask<FigureWish::fit_panel>,
           .on_figure = true},
    Action{.id = "view-back",
           .label = "The view before",
           .group = Group::figure,
           .keys = "Backspace Left C",
           .run = ask<FigureWish::back>,
           .on_figure = true,
           .apart = true},
    Action{.id = "view-forward",
           .label = "The view after",
           .group = Group::figure,
           .keys = "Right V",
           .run = ask<FigureWish::forward>,
           .on_figure = true},
    Action{.id = "pan-mode",
           .label = "Dragging pans",
           .group = Group::figure,
           .keys = "P",
           .run = ask<FigureWish::pan_mode>,
           .on_figure = true,
           .apart = true},
    Action{.id = "box-mode",
           .label = "Dragging zooms into a box",
           .group = Group::figure,
           .keys = "O",
           .run = ask<FigureWish::box_mode>,
           .on_figure = true},
    Action{.id = "log-x",
           .label = "x axis logarithmic or linear",
           .group = Group::figure,
           .keys = "K Shift+L",
           .run = ask<FigureWish::log_x>,
           .hindrance = needs_figure,
           .on_figure = true,
           .apart = true},
    Action{.id = "log-y",
           .label = "y axis logarithmic or linear",
           .group = Group::figure,
           .keys = "L",
           .run = ask<FigureWish::log_y>,
           .hindrance = needs_figure,
           .on_figure = true},
    Action{.id = "grid",
           .label = "Grid lines",
           .group = Group::figure,
           .keys = "G",
           .run = ask<FigureWish::grid>,
           .hindrance = needs_figure,
           .on_figure = true},
    Action{.id = "figure-alone",
           .label = "The figure alone",
           .group = Group::figure,
           .keys = "F",
           .run = toggle_panes,
           .checked = figure_alone,
           .on_figure = true},
    Action{.id = "copy-picture",
           .label = "Copy the picture",
           .group = Group::figure,
           .keys = "Ctrl+C",
           .run = ask<FigureWish::copy_picture>,
           .hindrance = needs_figure,
           .on_figure = true,
           .apart = true},
    Action{.id = "copy-values",
           .label = "Copy the values in sight",
           .group = Group::figure,
           .keys = "Ctrl+Shift+C",
           .run = ask<FigureWish::copy_values>,
           .hindrance = needs_figure,
           .on_figure = true},
};

}  // namespace

std::span<const Action> figure_actions() {
  return figure_table;
}

}  // namespace orrery::gui
