// Arrows and arcs.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr double half_width = 0.36;     // of a head, times its length
constexpr double most_of_arrow = 0.45;  // a head takes no more of a short arrow
constexpr double least_arrow = 0.5;     // points; a shorter one is a dot

double distance(Point a, Point b) {
  return std::hypot(b.x - a.x, b.y - a.y);
}

/// The line without what its heads cover, so that their points stay sharp.
Path shortened(Path path, double at_start, double at_end) {
  const auto cut = [](Path& p, double length) {  // from the end
    while (length > 0 && p.size() >= 2) {
      const Point a = p[p.size() - 2], b = p.back();
      const double piece = distance(a, b);
      if (piece > length) {
        const double t = 1 - length / piece;
        p.back() = {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)};
        return;
      }
      p.pop_back();
      length -= piece;
    }
  };
  cut(path, at_end);
  std::reverse(path.begin(), path.end());
  cut(path, at_start);
  std::reverse(path.begin(), path.end());
  return path;
}

/// Where the path is, `length` points before its end.
Point before_end(const Path& path, double length) {
  const Path rest = shortened(path, 0, length);
  return rest.back();
}

/// A path on the page with its heads, cut to the plot.
void draw_headed(const Path& path, const std::vector<double>& dash, double width, Color color, Heads heads,
                 double head, const Stage& s) {
  double whole = 0;
  for (std::size_t i = 1; i < path.size(); ++i) whole += distance(path[i - 1], path[i]);
  const double length = std::min(head, most_of_arrow * whole);
  const bool at_end = heads == Heads::end || heads == Heads::both,
             at_start = heads == Heads::start || heads == Heads::both;
  // The line goes a little into its head: no gap between them.
  const double covered = 0.8 * length;
  for (Path& part : clip_path(shortened(path, at_start ? covered : 0, at_end ? covered : 0),
                              grown(s.frame.plot, 4 * width)))
    s.scene.primitives.emplace_back(Polyline{std::move(part), color, width, dash, false});
  const Rect near = grown(s.frame.plot, head);
  if (at_end && near.contains(path.back()))
    draw_head(path.back(), before_end(path, length), length, color, s.scene);
  const Path back(path.rbegin(), path.rend());
  if (at_start && near.contains(back.back()))
    draw_head(back.back(), before_end(back, length), length, color, s.scene);
}

/// The arc on the page, finer where it is larger.
Path along(const Arc& arc, const PanelFrame& frame) {
  constexpr double two_pi = 2 * std::numbers::pi;
  const double sweep = std::clamp(arc.sweep, -two_pi, two_pi);
  const Point middle = place(frame, arc.x, arc.y), side = place(frame, arc.x + arc.radius, arc.y);
  if (!defined(middle) || !std::isfinite(arc.from + sweep + arc.radius)) return {};
  const double radius = arc.on_page || !defined(side) ? std::abs(arc.radius) : distance(middle, side);
  // Chords that leave the circle by less than a fiftieth of a point.
  const double fine = std::clamp(std::sqrt(8 * 0.02 / std::max(radius, 0.01)), 0.01, 0.3);
  const int steps = std::max(2, int(std::ceil(std::abs(sweep) / fine)));
  Path path;
  for (int i = 0; i <= steps; ++i) {
    const double turn = arc.from + sweep * i / steps;
    const double c = arc.radius * std::cos(turn), d = arc.radius * std::sin(turn);
    path.push_back(arc.on_page ? Point{middle.x + c, middle.y - d} : place(frame, arc.x + c, arc.y + d));
    if (!defined(path.back())) return {};
  }
  return path;
}

/// Just outside the middle of the arc, on the far side from its centre.
void write_outside(const Arc& arc, Point outermost, const Stage& s) {
  const Point middle = place(s.frame, arc.x, arc.y);
  const TextStyle style{Voice::words, s.theme.text_size, false};
  Label label{outermost,      arc.text,       style, s.theme.color({arc.ink.role, arc.ink.index, 1}),
              HAlign::center, VAlign::middle, true};
  const Rect box = label_box(label, s.metrics);
  const double away = std::max(distance(middle, outermost), 1e-9);
  const Point out{(outermost.x - middle.x) / away, (outermost.y - middle.y) / away};
  const double room = std::abs(out.x) * box.w / 2 + std::abs(out.y) * box.h * 0.4 + 0.5 * style.size;
  label.at = {outermost.x + out.x * room, outermost.y + out.y * room};
  const Rect words = label_box(label, s.metrics);
  const Rect& plot = s.frame.plot;
  if (!plot.contains({words.x, words.y}) || !plot.contains({words.x + words.w, words.y + words.h}))
    return s.scene.left_out.push_back(arc.text);
  s.lettering.words.push_back(words);
  s.scene.primitives.emplace_back(std::move(label));
}

}  // namespace

void draw_head(Point tip, Point from, double length, Color color, Scene& scene) {
  const double away = distance(from, tip);
  if (!(away > 0) || !(length > 0)) return;
  const Point u{(tip.x - from.x) / away, (tip.y - from.y) / away};
  const Point base{tip.x - length * u.x, tip.y - length * u.y};
  const double w = half_width * length;
  scene.primitives.emplace_back(
      Polygon{{tip, {base.x - w * u.y, base.y + w * u.x}, {base.x + w * u.y, base.y - w * u.x}}, color});
}

void draw(const Arrows& arrows, const Stage& s) {
  const double width = s.theme.line_width * arrows.width;
  const Color color = s.theme.color(arrows.ink);
  const std::vector<double> dash = dash_lengths(arrows.dash, width);
  Path dots;
  s.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
  for (std::size_t i = 0;
       i < std::min({arrows.x.size(), arrows.y.size(), arrows.dx.size(), arrows.dy.size()}); ++i) {
    const Point from = place(s.frame, arrows.x[i], arrows.y[i]),
                to = place(s.frame, arrows.x[i] + arrows.dx[i], arrows.y[i] + arrows.dy[i]);
    if (!defined(from) || !defined(to)) continue;
    if (distance(from, to) >= least_arrow)
      draw_headed({from, to}, dash, width, color, arrows.heads, arrows.head, s);
    else if (s.frame.plot.contains(from))
      dots.push_back(from);
  }
  if (!dots.empty()) s.scene.primitives.emplace_back(Discs{std::move(dots), 0.7 * width, color});
  s.scene.primitives.emplace_back(Unclip{});
}

void draw(const Arc& arc, const Stage& s) {
  const Path path = along(arc, s.frame);
  if (path.empty()) return;
  const double width = s.theme.line_width * arc.width;
  s.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
  if (arc.fill) {
    Path sector = path;
    sector.push_back(place(s.frame, arc.x, arc.y));
    if (sector = clip_polygon(sector, s.frame.plot); sector.size() >= 3)
      s.scene.primitives.emplace_back(Polygon{std::move(sector), s.theme.color(*arc.fill)});
  }
  draw_headed(path, dash_lengths(arc.dash, width), width, s.theme.color(arc.ink), arc.heads, arc.head, s);
  s.scene.primitives.emplace_back(Unclip{});
  if (!arc.text.empty()) write_outside(arc, path[path.size() / 2], s);
}

}  // namespace orrery::figure
