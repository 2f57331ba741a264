#include "app/figure/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/figure/canvas.h"
#include "app/figure/data_range.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::layout_test {
namespace {

TEST(Ranges, OfEachMark) {
  Panel p;
  p.marks = {curve(
      11, [](double x) { return x * x; }, 1, 5)};
  EXPECT_EQ(x_range(p), (Range{1, 5}));
  EXPECT_NEAR(y_range(p).lo, 1 - 0.04 * 24, 1e-12);
  EXPECT_NEAR(y_range(p).hi, 25 + 0.04 * 24, 1e-12);

  Bars bars;
  bars.x = {0, 1};
  bars.height = {3, 5};
  p.marks = {bars};
  EXPECT_EQ(y_range(p).lo, 0) << "bars stand on their baseline";
  EXPECT_NEAR(y_range(p).hi, 5.2, 1e-12);
  EXPECT_LT(x_range(p).lo, -0.4);

  p.marks = {heatmap(4, 6)};
  EXPECT_EQ(x_range(p), (Range{-0.5, 5.5}));
  EXPECT_EQ(y_range(p), (Range{-0.5, 3.5}));
}

TEST(Ranges, OfNothingMuch) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const Scale& scale : {Scale::linear(), Scale::log(10), Scale::symlog(1)})
    for (const std::vector<double>& values : {std::vector<double>{},
                                              {nan, nan},
                                              {inf, -inf},
                                              {3, 3, 3},
                                              {0},
                                              {-2, -2},
                                              {1e308, -1e308},
                                              {1, nan, inf}}) {
      Panel p;
      p.x.scale = p.y.scale = scale;
      p.marks = {Line{values, values}};
      for (const Range r : {x_range(p), y_range(p)}) {
        EXPECT_TRUE(std::isfinite(r.lo) && std::isfinite(r.hi) && std::isfinite(r.length()));
        EXPECT_LT(r.lo, r.hi);
        if (scale.kind() == Scale::Kind::log) {
          EXPECT_GT(r.lo, 0);
        }
      }
    }
  Panel p;
  p.x.range = Range{5, 2};
  EXPECT_EQ(x_range(p), (Range{2, 5})) << "ends in the wrong order";
  p.x.range = Range{nan, 2};
  EXPECT_EQ(x_range(p), (Range{0, 1}));
}

TEST(Layout, IsAFunction) {
  const auto text = [](const Scene& s) {
    std::string all;
    const auto add = [&](double v) { all += std::to_string(v) + " "; };
    for (const Polyline& p : all_of_kind<Polyline>(s))
      for (const Point q : p.points) add(q.x), add(q.y);
    for (const Label& l : all_of_kind<Label>(s)) all += l.text, add(l.at.x), add(l.at.y);
    for (const LegendBox& b : s.legend) add(b.box.x), add(b.box.y);
    return all;
  };
  const Scene a = layout(lines(), page(300, 200), print_theme(), metrics);
  EXPECT_EQ(text(a), text(layout(lines(), page(300, 200), print_theme(), metrics)));
  EXPECT_NE(text(a), text(layout(lines(), page(301, 200), print_theme(), metrics)));
}

TEST(Layout, TickLabelsDoNotTouch) {
  Figure f = lines();
  for (double offset : {0.0, 1e5, 1e-7})
    for (double width = 60; width < 700; width += 17) {
      f.panels[0].x.range = Range{offset, offset + (offset == 1e-7 ? 1e-7 : 3)};
      const Scene s = layout(f, page(width, 200), light_theme(), metrics);
      std::vector<Rect> numbers;
      for (const Label& l : all_of_kind<Label>(s))
        if (l.style.voice == Voice::numbers) numbers.push_back(label_box(l, metrics));
      for (std::size_t i = 0; i < numbers.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_FALSE(overlap(numbers[i], numbers[j])) << width << " " << offset;
    }
}

// An axis may be longer than the few whole numbers that it is of: it says these alone.
TEST(Layout, FewWholeNumbersHaveTicksAndNoOthersBesideThem) {
  const auto said = [](std::vector<double> at, std::optional<Range> range) {
    Panel p;
    p.y.visible = false;
    p.x = {.range = range, .ticks = TickHint::integers};
    p.marks = {Points{.x = at, .y = std::vector<double>(at.size(), 1)}};
    std::set<std::string> texts;
    for (const Label& l : all_of_kind<Label>(layout(one(p), page(300, 200), light_theme(), metrics)))
      texts.insert(l.text);
    return texts;
  };
  EXPECT_EQ(said({0}, {}), std::set<std::string>{"0"});
  EXPECT_EQ(said({0, 1}, Range{-1, 2}), (std::set<std::string>{"0", "1"}));
  EXPECT_EQ(said({0, 1, 2}, Range{-1, 3}), (std::set<std::string>{"0", "1", "2"}));
  EXPECT_TRUE(said({0, 1, 2, 9}, Range{0, 12}).contains("10")) << "more of them are read off between ticks";
  EXPECT_FALSE(said({0, 1}, Range{4, 9}).empty()) << "whoever looks beside them sees where";
}

TEST(Layout, LongLinesAreShortAndKeepTheirSpike) {
  Line l = curve(200000, [](double x) { return std::sin(x); });
  l.y[123456] = 7;
  Panel p;
  p.marks = {l};
  const Scene s = layout(one(p), page(240, 170, 4), print_theme(), metrics);
  std::size_t points = 0;
  double top = 1e9;
  for (const Polyline& line : all_of_kind<Polyline>(s)) {
    points += line.points.size();
    if (line.points.size() > 100)
      for (const Point q : line.points) top = std::min(top, q.y);
  }
  EXPECT_LT(points, 240u * 4 * 4 + 100);
  EXPECT_NEAR(top, s.panels[0].to_page(0, 7).y, 1e-6);
}

TEST(Layout, NaNBreaksALine) {
  Line l = curve(101, [](double x) { return x; });
  l.y[50] = std::nan("");
  Panel p;
  p.x.visible = p.y.visible = false;
  p.marks = {l};
  const auto drawn = all_of_kind<Polyline>(layout(one(p), page(200, 100), print_theme(), metrics));
  ASSERT_EQ(drawn.size(), 2u);
  EXPECT_LT(drawn[0].points.back().x, drawn[1].points.front().x);
}

TEST(Layout, ViewIsHonoured) {
  LayoutOptions options = page(300, 200);
  options.view.panels = {{Range{2, 4}, std::nullopt}};
  const Scene s = layout(lines(), options, light_theme(), metrics);
  EXPECT_EQ(s.panels[0].x, (Range{2, 4}));
  options.view.panels = {{Range{4, 2}, Range{std::nan(""), 1}}};
  EXPECT_EQ(layout(lines(), options, light_theme(), metrics).panels[0].x, (Range{0, 10}))
      << "no range at all";
}

TEST(Layout, PanelsOfAColumnLineUp) {
  Figure f;
  f.row_weights = {1, 2};
  for (int i = 0; i < 2; ++i) {
    Panel p;
    p.cell.row = i;
    p.y.label = i ? "much wider numbers" : "";
    p.marks = {i ? curve(10, [](double x) { return 1e5 * x; }) : curve(10, [](double x) { return x; })};
    f.panels.push_back(p);
  }
  const Scene s = layout(f, page(300, 300), print_theme(), metrics);
  EXPECT_DOUBLE_EQ(s.panels[0].plot.x, s.panels[1].plot.x);
  EXPECT_DOUBLE_EQ(s.panels[0].plot.w, s.panels[1].plot.w);
  EXPECT_NEAR(s.panels[1].plot.h, 2 * s.panels[0].plot.h, 1e-9);
  EXPECT_LT(s.panels[0].plot.y + s.panels[0].plot.h, s.panels[1].plot.y);
}

TEST(Layout, PrintTellsSeriesApartByDashes) {
  std::set<std::vector<double>> dashes;
  for (const Polyline& l : all_of_kind<Polyline>(layout(lines(), page(300, 200), print_theme(), metrics)))
    if (l.points.size() > 50) dashes.insert(l.dash);
  EXPECT_EQ(dashes.size(), 3u);
}

struct Recorder final : Canvas {
  std::string calls;
  void polyline(const Polyline&) override { calls += 'l'; }
  void polygon(const Polygon&) override { calls += 'p'; }
  void discs(const Discs&) override { calls += 'd'; }
  void image(const Image&) override { calls += 'i'; }
  void label(const Label&) override { calls += 't'; }
  void clip(const Rect&) override { calls += '['; }
  void unclip() override { calls += ']'; }
};

TEST(Paint, EveryPrimitiveInOrder) {
  Scene s;
  s.primitives = {Clip{}, Image{}, Unclip{}, Polyline{}, Polygon{}, Discs{}, Label{}};
  Recorder canvas;
  paint(s, canvas);
  EXPECT_EQ(canvas.calls, "[i]lpdt");
}

}  // namespace
}  // namespace orrery::figure::layout_test
