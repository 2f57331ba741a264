#include "app/gui/interaction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::gui {
namespace {

using figure::PanelFrame;
using figure::Point;
using figure::Range;
using figure::Scale;

constexpr double label_room = 48;    // points beside and below a plot that belong to its axes
constexpr double narrowest = 1e-11;  // of the values' size: beyond it doubles cannot tell ticks apart

double unit_x(const PanelFrame& f, double x) {
  const double u = (x - f.plot.x) / f.plot.w;
  return f.x_reversed ? 1 - u : u;
}

double unit_y(const PanelFrame& f, double y) {
  const double u = 1 - (y - f.plot.y) / f.plot.h;
  return f.y_reversed ? 1 - u : u;
}

/// The range between two places of the unit interval, which may lie outside it; the old one where that makes
/// no sense.
Range range_between(const Scale& scale, Range range, double a, double b) {
  const Range made{scale.invert(std::min(a, b), range), scale.invert(std::max(a, b), range)};
  const double size = std::max(std::abs(made.lo), std::abs(made.hi));
  const bool sane = std::isfinite(made.lo) && std::isfinite(made.hi) &&
                    made.hi - made.lo > narrowest * size && size < 1e300 &&
                    (scale.kind() != Scale::Kind::log || made.lo > 0);
  return sane ? made : range;
}

PanelView view_of(const PanelFrame& f, std::pair<double, double> x, std::pair<double, double> y, Axes axes) {
  PanelView view{f.x, f.y};
  if (axes.x) view.x = range_between(f.x_scale, f.x, x.first, x.second);
  if (axes.y) view.y = range_between(f.y_scale, f.y, y.first, y.second);
  return view;
}

}  // namespace

PanelView panned(const PanelFrame& f, Point from, Point to, Axes axes) {
  const double dx = unit_x(f, to.x) - unit_x(f, from.x), dy = unit_y(f, to.y) - unit_y(f, from.y);
  return view_of(f, {-dx, 1 - dx}, {-dy, 1 - dy}, {axes.x && dx != 0, axes.y && dy != 0});
}

PanelView zoomed(const PanelFrame& f, Point at, double factor, Axes axes) {
  const auto ends = [&](double u) { return std::pair(u - u / factor, u + (1 - u) / factor); };
  return view_of(f, ends(unit_x(f, at.x)), ends(unit_y(f, at.y)), axes);
}

PanelView boxed(const PanelFrame& f, const figure::Rect& box, Axes axes) {
  return view_of(f, {unit_x(f, box.x), unit_x(f, box.x + box.w)},
                 {unit_y(f, box.y), unit_y(f, box.y + box.h)}, axes);
}

Axes axes_at(const PanelFrame& f, Point p) {
  const figure::Rect& r = f.plot;
  const bool within_x = p.x >= r.x && p.x <= r.x + r.w, within_y = p.y >= r.y && p.y <= r.y + r.h;
  if (within_x && within_y) return {true, true};
  return {within_x && p.y > r.y + r.h && p.y < r.y + r.h + label_room,
          within_y && p.x < r.x && p.x > r.x - label_room};
}

int panel_at(const figure::Scene& scene, Point p) {
  int beside = -1;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    if (scene.panels[i].plot.contains(p)) return static_cast<int>(i);
    const Axes axes = axes_at(scene.panels[i], p);
    if (axes.x || axes.y) beside = static_cast<int>(i);
  }
  return beside;
}

void set_view(figure::View& view, int panel, const PanelView& ranges, Axes axes) {
  const auto i = static_cast<std::size_t>(panel);
  if (view.panels.size() <= i) view.panels.resize(i + 1);
  if (axes.x) view.panels[i].x = ranges.x;
  if (axes.y) view.panels[i].y = ranges.y;
}

}  // namespace orrery::gui
