#include "tests/eyes/ruled.h"

#include <algorithm>
#include <cmath>

namespace orrery::eyes {
namespace {

using figure::AxisRecord;
using figure::Rect;

const char* name_of(const AxisRecord& axis) {
  if (axis.vertical) return axis.opposite ? "right" : "left";
  return axis.opposite ? "top" : "bottom";
}

Stroke line_of(const AxisRecord& axis, const Rect& plot) {
  const double right = plot.x + plot.w, bottom = plot.y + plot.h;
  if (axis.vertical) {
    const double x = axis.opposite ? right : plot.x;
    return {x, plot.y, x, bottom};
  }
  const double y = axis.opposite ? plot.y : bottom;
  return {plot.x, y, right, y};
}

Stroke tick_of(const AxisRecord& axis, const Rect& plot, double value, double length) {
  const double share = axis.scale.unit(value, axis.range), unit = axis.reversed ? 1 - share : share;
  const Stroke line = line_of(axis, plot);
  if (axis.vertical) {
    const double y = plot.y + plot.h * (1 - unit);
    return {line.x0, y, line.x0 + (axis.opposite ? length : -length), y};
  }
  const double x = plot.x + plot.w * unit;
  return {x, line.y0, x, line.y0 + (axis.opposite ? -length : length)};
}

double apart(double x0, double y0, double x1, double y1) {
  return std::hypot(x1 - x0, y1 - y0);
}

}  // namespace

std::vector<Ruled> ruled_in(const figure::Scene& scene, double tick_length) {
  std::vector<Ruled> all;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    const Rect& plot = scene.panels[i].plot;
    if (plot.w <= 0 || plot.h <= 0) continue;
    const std::string panel = "panel " + std::to_string(i + 1) + ", ";
    for (const AxisRecord& axis : scene.records[i].axes) {
      if (!axis.line) continue;
      const std::string name = std::string(name_of(axis)) + " axis";
      all.push_back({panel + name, line_of(axis, plot)});
      for (std::size_t t = 0; t < axis.ticks.size(); ++t)
        all.push_back({panel + "tick " + std::to_string(t + 1) + " of the " + name,
                       tick_of(axis, plot, axis.ticks[t], tick_length)});
    }
  }
  return all;
}

double off_the_page(const Stroke& asked, const PrintedPage& page) {
  double least = INFINITY;
  for (const Stroke& s : page.strokes)
    least = std::min(
        {least, std::max(apart(s.x0, s.y0, asked.x0, asked.y0), apart(s.x1, s.y1, asked.x1, asked.y1)),
         std::max(apart(s.x0, s.y0, asked.x1, asked.y1), apart(s.x1, s.y1, asked.x0, asked.y0))});
  return least;
}

}  // namespace orrery::eyes
