#include "app/figure/legend_sample.h"

#include <algorithm>

#include "app/figure/path.h"
#include "app/figure/stage.h"

namespace orrery::figure {

namespace {

/// A small piece of the mark, in a box.
struct Sample {
  Rect box;
  const Theme& theme;
  bool hidden;
  Scene& scene;

  Color ink(const Ink& i) const { return hidden ? theme.outline : theme.color(i); }
  Point middle() const { return {box.x + box.w / 2, box.y + box.h / 2}; }
  void fill(double height, Color color) const {
    scene.primitives.emplace_back(Polygon{corners({box.x, middle().y - height / 2, box.w, height}), color});
  }

  void line(Point from, Point to, const Ink& i, double width, Dash dash) const {
    width *= theme.line_width;
    scene.primitives.emplace_back(Polyline{{from, to}, ink(i), width, dash_lengths(dash, width), false});
  }
  void stroke(const Ink& i, double width, Dash dash) const {
    line({box.x, middle().y}, {box.x + box.w, middle().y}, i, width, dash);
  }

  void operator()(const Line& m) const { stroke(m.ink, m.width, shown_dash(m, theme)); }
  void operator()(const Points& m) const {
    draw_symbol(shown_symbol(m, theme), {middle()}, std::min(m.radius, box.h * 0.4), ink(m.ink),
                theme.line_width, scene);
  }
  void operator()(const Band& m) const {
    fill(box.h * 0.6, hidden ? theme.outline : band_color(m.ink, theme));
  }
  void operator()(const Bars& m) const { fill(box.h * 0.6, ink(m.ink)); }
  void operator()(const Histogram& m) const {
    const Rect bin{box.x, middle().y - box.h * 0.3, box.w, box.h * 0.6};
    fill(bin.h, hidden ? theme.outline : band_color(m.ink, theme));
    scene.primitives.emplace_back(outline(bin, ink(m.ink), 0.8 * theme.line_width));
  }
  void operator()(const Stems& m) const {
    stroke(m.ink, m.width, {});
    if (m.radius > 0)
      draw_symbol(m.symbol, {middle()}, std::min(m.radius, box.h * 0.4), ink(m.ink), theme.line_width, scene);
  }
  void operator()(const ErrorBars& m) const {
    stroke(m.ink, m.width, {});
    for (const double x : {box.x, box.x + box.w})
      line({x, middle().y - m.cap}, {x, middle().y + m.cap}, m.ink, m.width, {});
  }
  void operator()(const Shape& m) const {
    const Rect part{box.x, middle().y - box.h * 0.3, box.w, box.h * 0.6};
    if (m.fill) fill(part.h, hidden ? theme.outline : theme.color(*m.fill));
    if (m.edge) scene.primitives.emplace_back(outline(part, ink(*m.edge), theme.line_width * m.width));
  }
  void operator()(const Arrows& m) const {
    const Point from{box.x, middle().y}, tip{box.x + box.w, middle().y};
    const double head = std::min(m.head, 0.45 * box.w);
    line(from, {tip.x - 0.8 * head, tip.y}, m.ink, m.width, m.dash);
    if (m.heads != Heads::none) draw_head(tip, from, head, ink(m.ink), scene);
  }
};

}  // namespace

void draw_sample(const Mark& mark, const Rect& box, const Theme& theme, bool hidden, Scene& scene) {
  const Sample sample{box, theme, hidden, scene};
  std::visit(
      [&](const auto& m) {
        if constexpr (requires { m.label; }) sample(m);
      },
      mark);
}

}  // namespace orrery::figure
