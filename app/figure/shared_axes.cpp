#include "app/figure/shared_axes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/figure/data_range.h"

namespace orrery::figure {

namespace {

/// Whether another panel of the same axis group has its axis in line with that of panel i: `follows` says of two cells
/// that the other's axis stands where this one's would be said.
template <class Follows>
bool said_by_another(const Figure& figure, const Arrangement& arrangement, std::size_t i, Axis Panel::*axis,
                     const Follows& follows) {
  const int group = (figure.panels[i].*axis).group;
  if (group == 0) return false;
  for (std::size_t k = 0; k < figure.panels.size(); ++k) {
    const Axis& other = figure.panels[k].*axis;
    const Cell &own = arrangement.cells[i], &cell = arrangement.cells[k];
    if (other.group == group && other.visible && cell.on_page() && follows(own, cell)) return true;
  }
  return false;
}

bool below(const Cell& own, const Cell& other) {
  return other.row == own.row + own.rows && other.col == own.col && other.cols == own.cols;
}

bool to_the_left(const Cell& own, const Cell& other) {
  return other.col + other.cols == own.col && other.row == own.row && other.rows == own.rows;
}

/// A log scale where all data have a place on one; where some are below zero, one that is linear about zero.
Scale logarithmic(const AxisCover& data) {
  if (data.all.empty() || data.all.lo >= 0) return Scale::log(10);
  const double size = std::max(std::abs(data.all.lo), std::abs(data.all.hi));
  return Scale::symlog(std::pow(10, std::floor(std::log10(size)) - 2));
}

void set_log(Axis& axis, std::optional<bool> wanted, const AxisCover& data) {
  if (!wanted || *wanted == (axis.scale.kind() != Scale::Kind::linear)) return;
  axis.scale = *wanted ? logarithmic(data) : Scale::linear();
  if (axis.range && axis.scale.clamp(*axis.range) != *axis.range) axis.range.reset();
}

void obey(const View::PanelView& view, const PanelDigest& data, PanelAxes& axes) {
  AxisCover x, y;
  for (const MarkDigest& mark : data.marks) {
    x.all.add(mark.x.all);
    y.all.add(mark.y.all);
  }
  set_log(axes.x, view.log_x, x);
  set_log(axes.y, view.log_y, y);
  if (view.grid) axes.x.grid = axes.y.grid = *view.grid;
}

void silence(Axis& axis) {
  axis.numbers = false;
  axis.label.clear();
}

}  // namespace

std::vector<PanelAxes> panel_axes(const Figure& figure, const Digest& digest, const View& view,
                                  const Arrangement& arrangement) {
  std::vector<PanelAxes> axes;
  std::map<int, Range> groups;
  const auto join = [&](Axis& axis, Range range) {
    axis.range = range;
    if (axis.group == 0) return;
    Range& joined = groups.emplace(axis.group, range).first->second;
    joined = {std::min(joined.lo, range.lo), std::max(joined.hi, range.hi)};
  };
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    const PanelDigest& data = digest.panels[i];
    PanelAxes& own = axes.emplace_back(PanelAxes{panel.x, panel.y});
    if (i < view.panels.size()) obey(view.panels[i], data, own);
    join(own.x, axis_range(panel, data, own.x, true));
    join(own.y, axis_range(panel, data, own.y, false));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (Axis* axis : {&axes[i].x, &axes[i].y})
      if (axis->group != 0)
        if (const Range joined = groups[axis->group]; showable(joined, axis->scale))
          axis->range = axis->scale.clamp(joined);
    if (said_by_another(figure, arrangement, i, &Panel::x, below)) silence(axes[i].x);
    if (said_by_another(figure, arrangement, i, &Panel::y, to_the_left)) silence(axes[i].y);
  }
  return axes;
}

std::vector<PanelAxes> panel_axes(const Figure& figure) {
  return panel_axes(figure, digest(figure), {}, own_arrangement(figure));
}

void follow(const Figure& figure, int panel, View& view) {
  const auto moved = std::size_t(panel);
  if (moved >= figure.panels.size()) return;
  const Panel& own = figure.panels[moved];
  const View::PanelView shown = moved < view.panels.size() ? view.panels[moved] : View::PanelView{};
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const auto show = [&](const Axis& axis, std::optional<Range> View::PanelView::*range,
                          std::optional<bool> View::PanelView::*log) {
      if (i == moved || axis.group == 0 || (axis.group != own.x.group && axis.group != own.y.group)) return;
      if (view.panels.size() <= i) view.panels.resize(i + 1);
      view.panels[i].*range = axis.group == own.x.group ? shown.x : shown.y;
      view.panels[i].*log = axis.group == own.x.group ? shown.log_x : shown.log_y;
    };
    show(figure.panels[i].x, &View::PanelView::x, &View::PanelView::log_x);
    show(figure.panels[i].y, &View::PanelView::y, &View::PanelView::log_y);
  }
}

}  // namespace orrery::figure
