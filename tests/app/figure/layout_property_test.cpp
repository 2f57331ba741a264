// Whatever the figure and the page: no coordinate that is no number, nothing outside the page, no negative
// sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "app/figure/histogram.h"
#include "tests/app/figure/support.h"

namespace orrery::figure::layout_property_test {
namespace {

const CountedText metrics;

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  int below(int n) { return int(random_() % unsigned(n)); }
  bool one_in(int n) { return below(n) == 0; }
  double size() { return std::pow(10, std::uniform_real_distribution<double>(-9, 9)(random_)); }

  /// A few values, now and then hostile ones.
  std::vector<double> values() {
    std::vector<double> v(std::size_t(one_in(5) ? below(3) : 1 + below(200)));
    const double scale = size(), offset = one_in(3) ? size() : 0;
    for (double& x : v) x = offset + scale * std::normal_distribution<double>()(random_);
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double hostile[] = {
        std::numeric_limits<double>::quiet_NaN(), inf, -inf, 0, 1e308, -1e308, 5e-324};
    for (double& x : v)
      if (one_in(15)) x = hostile[below(7)];
    if (one_in(4)) std::sort(v.begin(), v.end(), [](double a, double b) { return std::isless(a, b); });
    if (one_in(8) && !v.empty()) std::fill(v.begin(), v.end(), v[0]);
    return v;
  }
  double value() {
    const auto v = values();
    return v.empty() ? 0 : v[0];
  }
  std::string text() {
    constexpr const char* texts[] = {"",
                                     "a",
                                     "two words",
                                     "$\\theta_i = b^{-2i/d}$",
                                     "a rather long sentence that will hardly fit beside anything at all",
                                     "位置"};
    return texts[below(6)];
  }
  Ink ink() { return {Role(below(12)), below(9), one_in(3) ? 0.5 : 1.0}; }

 private:
  std::mt19937 random_;
};

Mark mark(Chance& c) {
  switch (c.below(16)) {
    case 0:
      return Line{c.values(),       c.values(), c.ink(),     1,
                  Dash(c.below(6)), c.text(),   c.one_in(2), Course(c.below(4))};
    case 1:
      return Points{c.values(), c.values(), c.ink(), 2, Symbol(c.below(6)), c.text()};
    case 7:
      return Stems{
          .x = c.values(), .y = c.values(), .baseline = c.value(), .ink = c.ink(), .label = c.text()};
    case 8:
      return ErrorBars{.x = c.values(),
                       .y = c.values(),
                       .dx = {c.values(), {}},
                       .dy = {c.values(), c.values()},
                       .label = c.text()};
    case 9: {
      Histogram h = histogram(c.values(), {.scale = c.one_in(2) ? Scale::log() : Scale::linear()});
      if (c.one_in(3)) h = {.edges = c.values(), .heights = c.values()};
      h.label = c.text();
      return h;
    }
    case 10:
      return Shape{
          .x = c.values(), .y = c.values(), .edge = c.ink(), .dash = Dash(c.below(6)), .label = c.text()};
    case 11:
      return Arrows{.x = c.values(),
                    .y = c.values(),
                    .dx = c.values(),
                    .dy = c.values(),
                    .heads = Heads(c.below(4)),
                    .label = c.text()};
    case 12:
      return Arc{.x = c.value(),
                 .y = c.value(),
                 .radius = c.value(),
                 .from = c.value(),
                 .sweep = c.value(),
                 .on_page = c.one_in(2),
                 .heads = Heads(c.below(4)),
                 .fill = c.ink(),
                 .text = c.text()};
    case 13:
      return Annotation{.x = c.value(),
                        .y = c.value(),
                        .text = c.text() + "\n" + c.text(),
                        .dx = c.one_in(2) ? 0.0 : c.below(80) - 40,
                        .heads = Heads(c.below(4))};
    case 14:
      return Inset{
          .text = c.text() + "\n" + c.text(), .place = LegendPlace(c.below(8)), .frame = c.one_in(2)};
    case 15: {
      Contours k{.x = {c.value(), c.value()}, .y = {c.value(), c.value()}};
      auto grid = std::make_shared<Grid>(Grid{c.below(12), c.below(12), {}});
      for (int i = 0; i < grid->rows * grid->cols; ++i) grid->values.push_back(float(c.value()));
      k.grid = grid;
      if (c.one_in(3)) k.levels = c.values();
      k.filled = c.one_in(2);
      k.colors = {.map = ColorMap(c.below(4)), .label = c.text(), .group = c.below(3)};
      return k;
    }
    case 2:
      return Band{c.values(), c.values(), c.values(), c.ink(), c.text()};
    case 3:
      return Bars{c.values(), c.values(), c.size(), c.one_in(2) ? 0 : c.value(), c.ink(), c.text()};
    case 4: {
      Rule r;
      r.direction = Direction(c.below(2));
      r.at = c.value();
      if (c.one_in(2)) r.to = c.value();
      r.text = c.text();
      return r;
    }
    case 5: {
      Note n;
      n.x = c.value();
      n.y = c.value();
      n.text = c.text();
      n.dx = c.below(100) - 50;
      return n;
    }
    default:
      break;
  }
  Heatmap h;
  h.x = {c.value(), c.value()};
  h.y = {c.value(), c.value()};
  auto grid = std::make_shared<Grid>();
  grid->rows = c.below(20);
  grid->cols = c.below(20);
  for (int i = 0; i < grid->rows * grid->cols; ++i) grid->values.push_back(float(c.value()));
  if (c.one_in(8)) grid->values.resize(3);
  if (!c.one_in(8)) h.grid = grid;
  h.colors.map = ColorMap(c.below(4));
  h.colors.label = c.text();
  h.colors.group = c.below(3);
  return h;
}

Scale scale(Chance& c) {
  switch (c.below(4)) {
    case 0:
      return Scale::log(c.one_in(2) ? 2 : 10);
    case 1:
      return Scale::symlog(c.size());
    default:
      return Scale::linear();
  }
}

Axis axis(Chance& c) {
  Axis a;
  a.label = c.text();
  a.scale = scale(c);
  if (c.one_in(3)) a.range = Range{c.value(), c.value()};
  a.ticks = TickHint(c.below(5));
  a.visible = !c.one_in(5);
  a.grid = c.one_in(2);
  a.reversed = c.one_in(4);
  a.numbers = !c.one_in(5);
  if (c.one_in(8)) a.names = {c.text(), c.text(), c.text()};
  a.group = c.below(4);
  return a;
}

SecondAxis second(Chance& c) {
  SecondAxis s;
  s.axis = axis(c);
  const double factor = c.value();
  if (c.one_in(2)) s.map = [factor](double v) { return factor * v; };
  s.marks = {c.below(6), c.below(6)};
  return s;
}

Figure figure(Chance& c) {
  Figure f;
  f.title = c.text();
  f.row_weights = {1, 2};
  f.col_weights = {1, 0, 3};
  for (int i = c.below(5); i >= 0; --i) {
    Panel p;
    p.title = c.text();
    p.x = axis(c);
    p.y = axis(c);
    for (int k = c.below(6); k > 0; --k) p.marks.push_back(mark(c));
    p.legend = LegendPlace(c.below(8));
    p.equal_aspect = c.one_in(4);
    p.frame = c.one_in(3);
    p.cell = {c.below(3), c.below(3), 1 + c.below(2), 1 + c.below(2)};
    if (c.one_in(4)) p.top = second(c);
    if (c.one_in(4)) p.right = second(c);
    f.panels.push_back(p);
  }
  return f;
}

struct Inspector {
  const Scene& scene;
  Rect clip{-1e9, -1e9, 2e9, 2e9};

  void inside(const Rect& r, const char* what) const {
    ASSERT_TRUE(std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.w) && std::isfinite(r.h)) << what;
    ASSERT_GE(std::min(r.w, r.h), 0) << what;
    // 1e-6 points: rounding of sums of a few hundred points.
    ASSERT_GE(std::min(r.x, r.y), -1e-6) << what;
    ASSERT_LE(r.x + r.w, scene.width + 1e-6) << what;
    ASSERT_LE(r.y + r.h, scene.height + 1e-6) << what;
  }
  void point(Point p, const char* what) const {
    ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y)) << what;
    // A line's width, a tick's end or a marker's rim may reach a little over the edge; far places must be
    // clipped away.
    if (clip.w > 1e8) {
      ASSERT_TRUE(p.x > -10 && p.y > -10 && p.x < scene.width + 10 && p.y < scene.height + 10) << what;
    }
  }
  void operator()(const Polyline& l) {
    for (const Point p : l.points) point(p, "line");
    ASSERT_GE(l.points.size(), 1u);
  }
  void operator()(const Polygon& l) {
    for (const Point p : l.points) point(p, "polygon");
  }
  void operator()(const Discs& d) {
    for (const Point p : d.centres) point(p, "disc");
  }
  void operator()(const Image& i) {
    ASSERT_EQ(i.pixels->size(), std::size_t(i.width) * std::size_t(i.height));
    ASSERT_TRUE(std::isfinite(i.box.x + i.box.y + i.box.w + i.box.h))
        << i.box.x << " " << i.box.y << " " << i.box.w << " " << i.box.h;
    ASSERT_GE(std::min(i.box.w, i.box.h), 0);
  }
  void operator()(const Label& l) { inside(label_box(l, metrics), l.text.c_str()); }
  void operator()(const Clip& c) { clip = c.box; }
  void operator()(const Unclip&) { clip = {-1e9, -1e9, 2e9, 2e9}; }
};

TEST(LayoutProperty, AnyFigureAtAnySize) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Chance c(seed);
    const Figure f = figure(c);
    LayoutOptions options;
    options.size = {c.one_in(4) ? double(c.below(40)) : 20 + c.below(900),
                    c.one_in(4) ? double(c.below(40)) : 20 + c.below(600)};
    options.pixels_per_point = 1 + c.below(4);
    options.title = c.one_in(2);
    if (c.one_in(3)) options.view.panels = {{Range{c.value(), c.value()}, Range{c.value(), c.value()}}};
    if (c.one_in(3)) options.view.hidden = {{0, c.below(6)}};
    const Theme& theme = theme_by_name(theme_names()[std::size_t(c.below(3))]);
    const Scene s = layout(f, options, theme, metrics);
    ASSERT_EQ(s.panels.size(), f.panels.size());
    Inspector inspector{s};
    for (const Primitive& p : s.primitives) std::visit(inspector, p);
    for (const PanelFrame& frame : s.panels) {
      inspector.inside(frame.plot, "plot");
      ASSERT_TRUE(std::isfinite(frame.x.length()) && std::isfinite(frame.y.length()));
      ASSERT_LT(frame.x.lo, frame.x.hi);
      ASSERT_LT(frame.y.lo, frame.y.hi);
    }
    for (const LegendBox& box : s.legend) inspector.inside(box.box, "legend");
    if (HasFatalFailure()) return;
  }
}

TEST(LayoutProperty, AnEmptyFigureIsAnEmptyPage) {
  EXPECT_TRUE(layout({}, page(100, 100), print_theme(), metrics).primitives.empty());
  EXPECT_TRUE(layout({}, page(0, 0), print_theme(), metrics).primitives.empty());
  EXPECT_EQ(layout({}, page(std::nan(""), -5), print_theme(), metrics).width, 0);
}

}  // namespace
}  // namespace orrery::figure::layout_property_test
