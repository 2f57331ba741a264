#include "app/figure/shared_axes.h"

#include <algorithm>
#include <map>

#include "app/figure/data_range.h"

namespace orrery::figure {

namespace {

bool said_below(const Figure& figure, const Panel& panel) {
  return panel.x.group != 0 && std::ranges::any_of(figure.panels, [&](const Panel& other) {
           return other.cell.row > panel.cell.row && other.cell.col == panel.cell.col &&
                  other.cell.cols == panel.cell.cols && other.x.group == panel.x.group && other.x.visible;
         });
}

bool said_to_the_left(const Figure& figure, const Panel& panel) {
  return panel.y.group != 0 && std::ranges::any_of(figure.panels, [&](const Panel& other) {
           return other.cell.col < panel.cell.col && other.cell.row == panel.cell.row &&
                  other.cell.rows == panel.cell.rows && other.y.group == panel.y.group && other.y.visible;
         });
}

void silence(Axis& axis) {
  axis.numbers = false;
  axis.label.clear();
}

}  // namespace

std::vector<PanelAxes> panel_axes(const Figure& figure) {
  std::vector<PanelAxes> axes;
  std::map<int, Range> groups;
  const auto join = [&](Axis& axis, Range range) {
    axis.range = range;
    if (axis.group == 0) return;
    Range& joined = groups.emplace(axis.group, range).first->second;
    joined = {std::min(joined.lo, range.lo), std::max(joined.hi, range.hi)};
  };
  for (const Panel& panel : figure.panels) {
    PanelAxes& own = axes.emplace_back(PanelAxes{panel.x, panel.y});
    join(own.x, x_range(panel));
    join(own.y, y_range(panel));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (Axis* axis : {&axes[i].x, &axes[i].y})
      if (axis->group != 0)
        if (const Range joined = groups[axis->group]; showable(joined, axis->scale))
          axis->range = axis->scale.clamp(joined);
    if (said_below(figure, figure.panels[i])) silence(axes[i].x);
    if (said_to_the_left(figure, figure.panels[i])) silence(axes[i].y);
  }
  return axes;
}

void follow(const Figure& figure, int panel, View& view) {
  const auto moved = std::size_t(panel);
  if (moved >= figure.panels.size()) return;
  const Panel& own = figure.panels[moved];
  const View::PanelView shown = moved < view.panels.size() ? view.panels[moved] : View::PanelView{};
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const auto show = [&](const Axis& axis, std::optional<Range> View::PanelView::*range) {
      if (i == moved || axis.group == 0 || (axis.group != own.x.group && axis.group != own.y.group)) return;
      if (view.panels.size() <= i) view.panels.resize(i + 1);
      view.panels[i].*range = axis.group == own.x.group ? shown.x : shown.y;
    };
    show(figure.panels[i].x, &View::PanelView::x);
    show(figure.panels[i].y, &View::PanelView::y);
  }
}

}  // namespace orrery::figure
