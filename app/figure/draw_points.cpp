// Points.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/figure/path.h"
#include "app/figure/stage.h"

namespace orrery::figure {

namespace {

/// A regular polygon about a place, one corner on top.
Path regular(Point middle, double radius, int corners) {
  Path path;
  for (int i = 0; i < corners; ++i) {
    const double turn = 2 * std::numbers::pi * i / corners;
    path.push_back({middle.x + radius * std::sin(turn), middle.y - radius * std::cos(turn)});
  }
  return path;
}

}  // namespace

Symbol shown_symbol(const Points& points, const Theme& theme) {
  if (points.symbol != Symbol::disc || !points.symbol_by_series || points.ink.role != Role::series)
    return points.symbol;
  constexpr std::array by_series{Symbol::disc,    Symbol::square, Symbol::triangle,
                                 Symbol::diamond, Symbol::ring,   Symbol::cross};
  const int n = int(by_series.size()), i = points.ink.index % n;
  return theme.dash_series ? by_series[std::size_t(i < 0 ? i + n : i)] : points.symbol;
}

double shown_radius(const Points& points, const PanelFrame& frame) {
  constexpr double roomy = 80,
                   least = 0.6;  // points: the shorter side of a plot from which on nothing shrinks
  const Rect& plot = frame.plot;
  const double radius = points.radius * std::clamp(std::min(plot.w, plot.h) / roomy, least, 1.0);
  if (points.within <= 0 || frame.x_scale.kind() != Scale::Kind::linear || !(frame.x.length() > 0))
    return radius;
  return std::min(radius, points.within * plot.w / frame.x.length());
}

void draw_symbol(Symbol symbol, const std::vector<Point>& at, double radius, Color color, double line_width,
                 Scene& scene) {
  if (at.empty()) return;
  const double side = radius * 0.886;  // a square of the disc's area
  switch (symbol) {
    case Symbol::disc:
      scene.primitives.emplace_back(Discs{at, radius, color});
      return;
    case Symbol::ring:
      for (const Point p : at)
        scene.primitives.emplace_back(Polyline{regular(p, radius, 24), color, line_width, {}, true});
      return;
    case Symbol::square:
      for (const Point p : at)
        scene.primitives.emplace_back(Polygon{corners({p.x - side, p.y - side, 2 * side, 2 * side}), color});
      return;
    case Symbol::cross:
      for (const Point p : at)
        for (const double s : {-side, side})
          scene.primitives.emplace_back(
              Polyline{{{p.x - side, p.y - s}, {p.x + side, p.y + s}}, color, line_width, {}, false});
      return;
    case Symbol::triangle:
      for (const Point p : at) scene.primitives.emplace_back(Polygon{regular(p, radius * 1.4, 3), color});
      return;
    case Symbol::diamond:
      for (const Point p : at) scene.primitives.emplace_back(Polygon{regular(p, radius * 1.25, 4), color});
      return;
  }
}

namespace {

constexpr std::size_t few = 20000;

/// Of those that fall into the same small square only the first: in a cloud no eye tells how many there are.
std::vector<Point> thinned(const std::vector<Point>& at, const Rect& plot, double side) {
  const double cells = 1 / side;
  const auto columns = std::size_t(plot.w * cells) + 2, rows = std::size_t(plot.h * cells) + 2;
  std::vector<bool> taken(columns * rows, false);
  std::vector<Point> kept;
  for (const Point p : at) {
    const std::size_t cell = std::size_t(std::max(0.0, (p.y - plot.y) * cells)) * columns +
                             std::size_t(std::max(0.0, (p.x - plot.x) * cells));
    if (taken[cell]) continue;
    taken[cell] = true;
    kept.push_back(p);
  }
  return kept;
}

}  // namespace

// A marker whose middle is inside is drawn whole, also at the edge; so nothing is clipped here.
void draw(const Points& points, const Stage& s) {
  std::vector<Point> at;
  const Rect& plot = s.frame.plot;
  const Rect inside{plot.x - 0.01, plot.y - 0.01, plot.w + 0.02, plot.h + 0.02};
  for (std::size_t i = 0; i < std::min(points.x.size(), points.y.size()); ++i) {
    const Point p = s.frame.to_page(points.x[i], points.y[i]);
    if (inside.contains(p)) at.push_back(p);  // false for NaN
  }
  const Color color = s.theme.color(points.ink);
  const double radius = shown_radius(points, s.frame);
  if (at.size() > few && color.a == 255)
    at = thinned(at, plot, std::max(0.5 / s.pixels_per_point, radius / 2));
  draw_symbol(shown_symbol(points, s.theme), at, radius, color, s.theme.line_width, s.scene);
}

}  // namespace orrery::figure
