// Points and bars.
#include <algorithm>
#include <cmath>

#include "app/figure/path.h"
#include "app/figure/stage.h"

namespace orrery::figure {

void draw_symbol(Symbol symbol, const std::vector<Point>& at, double radius, Color color, double line_width,
                 Scene& scene) {
  if (at.empty()) return;
  const double side = radius * 0.886;  // a square of the disc's area
  switch (symbol) {
    case Symbol::disc:
      scene.primitives.emplace_back(Discs{at, radius, color});
      return;
    case Symbol::ring:
      for (const Point p : at) {
        Polyline circle{{}, color, line_width, {}, true};
        for (int i = 0; i < 24; ++i) {
          const double turn = i * 2 * 3.14159265358979 / 24;
          circle.points.push_back({p.x + radius * std::cos(turn), p.y + radius * std::sin(turn)});
        }
        scene.primitives.emplace_back(std::move(circle));
      }
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
  }
}

// A marker whose middle is inside is drawn whole, also at the edge; so nothing is clipped here.
void draw(const Points& points, const Stage& s) {
  std::vector<Point> at;
  const Rect& plot = s.frame.plot;
  const Rect inside{plot.x - 0.01, plot.y - 0.01, plot.w + 0.02, plot.h + 0.02};
  for (std::size_t i = 0; i < std::min(points.x.size(), points.y.size()); ++i) {
    const Point p = s.frame.to_page(points.x[i], points.y[i]);
    if (inside.contains(p)) at.push_back(p);  // false for NaN
  }
  draw_symbol(points.symbol, at, points.radius, s.theme.color(points.ink), s.theme.line_width, s.scene);
}

void draw(const Bars& bars, const Stage& s) {
  const Color color = s.theme.color(bars.ink);
  const Rect& plot = s.frame.plot;
  const bool log = s.frame.y_scale.kind() == Scale::Kind::log;
  for (std::size_t i = 0; i < std::min(bars.x.size(), bars.height.size()); ++i) {
    if (!std::isfinite(bars.x[i]) || !std::isfinite(bars.height[i])) continue;
    // A log scale has no zero: bars stand on its lower end.
    const double base = log && bars.baseline <= 0 ? s.frame.y.lo : bars.baseline;
    const Point a = s.frame.to_page(bars.x[i] - bars.width / 2, base);
    const Point b = s.frame.to_page(bars.x[i] + bars.width / 2, bars.height[i]);
    if (std::isnan(a.x + a.y + b.x + b.y)) continue;
    const double left = std::clamp(std::min(a.x, b.x), plot.x, plot.x + plot.w);
    const double right = std::clamp(std::max(a.x, b.x), plot.x, plot.x + plot.w);
    const double top = std::clamp(std::min(a.y, b.y), plot.y, plot.y + plot.h);
    const double bottom = std::clamp(std::max(a.y, b.y), plot.y, plot.y + plot.h);
    if (right > left && bottom > top)
      s.scene.primitives.emplace_back(Polygon{corners({left, top, right - left, bottom - top}), color});
  }
}

}  // namespace orrery::figure
