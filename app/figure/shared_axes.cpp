#include "app/figure/shared_axes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/figure/data_range.h"

namespace orrery::figure {

namespace {

bool said_below(const Figure& figure, const Panel& panel) {
  return panel.x.group != 0 && std::ranges::any_of(figure.panels, [&](const Panel& other) {
           return other.cell.row == panel.cell.row + panel.cell.rows && other.cell.col == panel.cell.col &&
                  other.cell.cols == panel.cell.cols && other.x.group == panel.x.group && other.x.visible;
         });
}

bool said_to_the_left(const Figure& figure, const Panel& panel) {
  return panel.y.group != 0 && std::ranges::any_of(figure.panels, [&](const Panel& other) {
           return other.cell.col + other.cell.cols == panel.cell.col && other.cell.row == panel.cell.row &&
                  other.cell.rows == panel.cell.rows && other.y.group == panel.y.group && other.y.visible;
         });
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

std::vector<PanelAxes> panel_axes(const Figure& figure, const Digest& digest, const View& view) {
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
    if (said_below(figure, figure.panels[i])) silence(axes[i].x);
    if (said_to_the_left(figure, figure.panels[i])) silence(axes[i].y);
  }
  return axes;
}

std::vector<PanelAxes> panel_axes(const Figure& figure) {
  return panel_axes(figure, digest(figure), {});
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
