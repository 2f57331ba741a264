#include "app/figure/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "app/figure/canvas.h"
#include "app/figure/color_map.h"
#include "app/figure/data_range.h"
#include "tests/app/figure/support.h"

namespace orrery::figure {
namespace {

const CountedText metrics;

Line curve(int n, double (*f)(double), double from = 0, double to = 10) {
  Line line;
  for (int i = 0; i < n; ++i) {
    const double x = from + (to - from) * i / (n - 1);
    line.x.push_back(x);
    line.y.push_back(f(x));
  }
  return line;
}

Figure one(Panel panel) {
  Figure f;
  f.panels = {std::move(panel)};
  return f;
}

Figure lines() {
  Panel p;
  p.x.label = "position";
  p.y.label = "score";
  p.y.grid = true;
  for (int i = 0; i < 3; ++i) {
    Line l = curve(
        500, i == 0 ? +[](double x) { return std::sin(x); } : +[](double x) { return std::cos(x) / 2; });
    l.ink = series(i);
    l.label = "curve " + std::to_string(i);
    p.marks.push_back(l);
  }
  return one(p);
}

Heatmap heatmap(int rows, int cols) {
  auto grid = std::make_shared<Grid>();
  grid->rows = rows;
  grid->cols = cols;
  for (int i = 0; i < rows * cols; ++i) grid->values.push_back(float(i));
  Heatmap h;
  h.x = {-0.5, cols - 0.5};
  h.y = {-0.5, rows - 0.5};
  h.grid = grid;
  return h;
}

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

TEST(Layout, LegendAvoidsTheData) {
  for (const bool rising : {true, false}) {
    Panel p;
    Line l = rising ? curve(300, [](double x) { return x; }) : curve(300, [](double x) { return -x; });
    l.label = "the line";
    p.marks = {l};
    const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
    ASSERT_EQ(s.legend.size(), 1u);
    const Rect box = s.legend[0].box;
    EXPECT_TRUE(s.panels[0].plot.contains({box.x, box.y}));
    for (double x = 0; x <= 10; x += 0.01)
      EXPECT_FALSE(box.contains(s.panels[0].to_page(x, rising ? x : -x)));
  }
}

// Grid lines pass between the words of a legend, or the legend stands above: nothing is hidden for it.
TEST(Layout, LegendLeavesTheGridWhole) {
  int inside = 0;
  for (double height = 60; height < 260; height += 7)
    for (const Theme* theme : {&print_theme(), &dark_theme()}) {
      Panel p;
      p.y.grid = true;
      for (const double slope : {1.0, 0.9}) {
        Line l = curve(300, [](double x) { return x; });
        for (double& y : l.y) y *= slope;
        l.label = "slope";
        p.marks.push_back(l);
      }
      const Scene s = layout(one(p), page(200, height), *theme, metrics);
      EXPECT_TRUE(all_of_kind<Polygon>(s).empty()) << "a veil";
      for (const LegendBox& entry : s.legend) {
        const double middle = entry.box.y + entry.box.h / 2;
        if (!s.panels[0].plot.contains({entry.box.x, middle})) continue;
        ++inside;
        for (const Polyline& line : all_of_kind<Polyline>(s)) {
          if (line.color != theme->grid) continue;  // within 0.4 of the size are the letters
          EXPECT_GT(std::abs(line.points[0].y - middle), 0.4 * theme->text_size) << height;
        }
      }
    }
  EXPECT_GT(inside, 40) << "most panels have such a place";
}

TEST(Layout, LegendGoesAboveWhereDataFillThePanel) {
  Panel p;
  Points cloud;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j) cloud.x.push_back(i), cloud.y.push_back(j);
  cloud.label = "everywhere";
  p.marks = {cloud};
  const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
  ASSERT_EQ(s.legend.size(), 1u);
  EXPECT_LE(s.legend[0].box.y + s.legend[0].box.h, s.panels[0].plot.y);
}

TEST(Layout, HiddenMarksAreGoneButStillInTheLegend) {
  LayoutOptions options = page(300, 200);
  const Scene all = layout(lines(), options, light_theme(), metrics);
  options.view.hidden = {{0, 1}};
  const Scene some = layout(lines(), options, light_theme(), metrics);
  EXPECT_EQ(some.legend.size(), 3u);
  const auto long_lines = [](const Scene& s) {
    int n = 0;
    for (const Polyline& l : all_of_kind<Polyline>(s)) n += l.points.size() > 50;
    return n;
  };
  EXPECT_EQ(long_lines(all), 3);
  EXPECT_EQ(long_lines(some), 2);
  EXPECT_EQ(some.panels[0].y, all.panels[0].y) << "the axes stay where they were";
  int faint = 0;
  for (const Label& l : all_of_kind<Label>(some)) faint += l.color == light_theme().faint;
  EXPECT_EQ(faint, 1);
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

TEST(Layout, HeatmapIsOneImageOfItsCells) {
  Panel p;
  p.marks = {heatmap(3, 5)};
  std::get<Heatmap>(p.marks[0]).colors.bar = false;
  for (const bool reversed : {false, true}) {
    p.y.reversed = reversed;
    const auto images = all_of_kind<Image>(layout(one(p), page(300, 200), print_theme(), metrics));
    ASSERT_EQ(images.size(), 1u);
    EXPECT_EQ(images[0].width, 5);
    EXPECT_EQ(images[0].height, 3);
    // Value 0 is the darkest: row 0 at the bottom, or at the top of a reversed axis.
    EXPECT_EQ((*images[0].pixels)[reversed ? 0 : 10], map_color(ColorMap::viridis, 0));
    EXPECT_EQ((*images[0].pixels)[reversed ? 14 : 4], map_color(ColorMap::viridis, 1));
  }
}

TEST(Layout, ZoomedHeatmapKeepsItsCellsInPlace) {
  Panel p;
  p.marks = {heatmap(8, 8)};
  LayoutOptions options = page(300, 200);
  options.view.panels = {{Range{1.2, 3.7}, Range{2, 5}}};
  const Scene s = layout(one(p), options, print_theme(), metrics);
  const Image image = all_of_kind<Image>(s)[0];
  EXPECT_EQ(image.width, 4);  // the cells 1 to 4 reach from 0.5 to 4.5
  EXPECT_EQ(image.height, 4);
  const Point corner = s.panels[0].to_page(0.5, 5.5);
  EXPECT_NEAR(image.box.x, corner.x, 1e-9);
  EXPECT_NEAR(image.box.y, corner.y, 1e-9);
  EXPECT_NEAR(image.box.x + image.box.w, s.panels[0].to_page(4.5, 0).x, 1e-9);
}

TEST(Layout, LargeHeatmapHasThePagesPixels) {
  Panel p;
  p.x.visible = p.y.visible = false;
  p.marks = {heatmap(3000, 2000)};
  std::get<Heatmap>(p.marks[0]).colors.bar = false;
  const Scene s = layout(one(p), page(100, 80, 2), print_theme(), metrics);
  const Image image = all_of_kind<Image>(s)[0];
  EXPECT_EQ(image.width, int(std::ceil(s.panels[0].plot.w * 2)));
  EXPECT_EQ(image.height, int(std::ceil(s.panels[0].plot.h * 2)));
}

TEST(Layout, SamplerIsAskedForPixelsOnly) {
  int most = 0;
  Heatmap h;
  h.x = h.y = {0, 1e6};
  h.full_cols = h.full_rows = 1000000;
  h.sampler = [&most](Range x, Range y, int cols, int rows) {
    most = std::max({most, cols, rows});
    Grid g{rows, cols, {}};
    for (int i = 0; i < rows * cols; ++i) g.values.push_back(float(x.lo + y.lo + i));
    return g;
  };
  Panel p;
  p.marks = {h};
  layout(one(p), page(200, 200, 2), print_theme(), metrics);
  EXPECT_GT(most, 64);
  EXPECT_LE(most, 400);
}

TEST(Layout, MaskedCellsHaveTheirOwnColour) {
  auto grid = std::make_shared<Grid>(Grid{1, 3, {1, -std::numeric_limits<float>::infinity(), std::nanf("")}});
  Heatmap h;
  h.x = {0, 3};
  h.grid = grid;
  Panel p;
  p.marks = {h};
  const Image image = all_of_kind<Image>(layout(one(p), page(200, 200), print_theme(), metrics))[0];
  EXPECT_EQ((*image.pixels)[1], print_theme().masked);
  EXPECT_EQ((*image.pixels)[2], print_theme().bad);
}

TEST(Layout, ColourBarIsAsHighAsTheMap) {
  Panel p;
  p.equal_aspect = true;
  p.marks = {heatmap(5, 5)};
  const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
  const auto images = all_of_kind<Image>(s);
  ASSERT_EQ(images.size(), 2u);
  EXPECT_DOUBLE_EQ(images[1].box.y, s.panels[0].plot.y);
  EXPECT_DOUBLE_EQ(images[1].box.h, s.panels[0].plot.h);
  EXPECT_NEAR(s.panels[0].plot.w, s.panels[0].plot.h, 1e-9);
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

// Whatever stands between a title and its plot: half a tick label, a legend, nothing.
TEST(Layout, TitlesOfARowBeginAtOneHeight) {
  Figure f;
  f.col_weights = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    Panel p = lines().panels[0];
    p.cell.col = i;
    p.title = "Panel " + std::to_string(i);
    p.y.visible = i == 0;
    p.equal_aspect = i == 1;
    p.legend = i == 2 ? LegendPlace::above : LegendPlace::none;
    f.panels.push_back(p);
  }
  for (const Theme* theme : {&print_theme(), &light_theme(), &dark_theme()}) {
    std::set<double> heights;
    int titles = 0;
    for (const Label& l : all_of_kind<Label>(layout(f, page(700, 300), *theme, metrics)))
      if (l.text.starts_with("Panel")) heights.insert(l.at.y), ++titles;
    EXPECT_EQ(titles, 3);
    EXPECT_EQ(heights.size(), 1u) << theme->name;
  }
}

// A number on an axis without its unit would be wrong: the title outlives a low plot.
TEST(Layout, AxisTitleMayReachBeyondALowPlot) {
  Figure f = lines();
  f.panels[0].title = "A panel";
  f.panels[0].y.label = "RMS / token";
  const Scene s = layout(f, page(300, 105), print_theme(), metrics);
  const double plot = s.panels[0].plot.h, words = 11 * 0.6 * print_theme().label_size;
  ASSERT_LT(plot, words) << "or there is nothing to see here";
  for (const Label& l : all_of_kind<Label>(s))
    if (!l.upright) {
      EXPECT_EQ(l.style.size, print_theme().label_size);
      const Rect box = label_box(l, metrics);
      EXPECT_GE(box.y, 0);
      return;
    }
  FAIL() << "no title";
}

TEST(Layout, NotesKeepClearOfTheAxes) {
  Panel p = lines().panels[0];
  Note note{0.1, -0.99, "minimum"};
  note.v = VAlign::top;
  note.dy = 4;
  p.marks.emplace_back(note);
  const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
  const Rect& plot = s.panels[0].plot;
  int notes = 0;
  for (const Label& l : all_of_kind<Label>(s)) {
    if (l.text != "minimum") continue;
    ++notes;
    const Rect box = label_box(l, metrics);
    EXPECT_LE(box.y + box.h, plot.y + plot.h + 1e-9);
    EXPECT_GE(box.x, plot.x - 1e-9);
  }
  EXPECT_EQ(notes, 1);
}

TEST(Layout, LegendOfMarkersStandsCloseToItsWords) {
  const auto reach = [](const Mark& mark) {
    Panel p;
    p.marks = {mark};
    const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
    return s.legend.at(0).box.w / print_theme().text_size - 0.6 * 5;
  };
  EXPECT_NEAR(reach(Line{.x = {0, 1}, .y = {0, 1}, .label = "label"}), 2.5, 1e-9);
  EXPECT_NEAR(reach(Points{.x = {0, 1}, .y = {0, 1}, .label = "label"}), 1.4, 1e-9);
}

TEST(Layout, TitleStaysOnOneLineWhileItNearlyFits) {
  Figure f = lines();
  f.panels[0].y.visible = false;
  f.panels[0].y.label = f.panels[0].x.label = "";
  f.panels[0].title = "A title of forty characters and not more";
  const auto titles = [&](double width) {
    std::vector<Label> found;
    for (const Label& l : all_of_kind<Label>(layout(f, page(width, 200), print_theme(), metrics)))
      if (f.panels[0].title.find(l.text) != std::string::npos && l.text.size() > 8) found.push_back(l);
    return found;
  };
  const double full = 40 * 0.6 * print_theme().title_size;
  const auto one_line = titles(0.98 * full), two_lines = titles(0.8 * full);
  ASSERT_EQ(one_line.size(), 1u);
  EXPECT_LT(one_line[0].style.size, print_theme().title_size);
  EXPECT_GE(one_line[0].style.size, 0.85 * print_theme().title_size);
  EXPECT_EQ(two_lines.size(), 2u);
}

TEST(Layout, OnPaperOnlySeveralTitlesAreBold) {
  const auto bold = [](int named, const Theme& theme) {
    Figure f;
    for (int i = 0; i < 2; ++i) {
      Panel p = lines().panels[0];
      p.cell.row = i;
      if (i < named) p.title = "Named";
      f.panels.push_back(p);
    }
    for (const Label& l : all_of_kind<Label>(layout(f, page(300, 400), theme, metrics)))
      if (l.text == "Named") return l.style.bold;
    return false;
  };
  EXPECT_FALSE(bold(1, print_theme()));
  EXPECT_TRUE(bold(2, print_theme()));
  EXPECT_TRUE(bold(1, dark_theme()));
}

TEST(Layout, TitleOnlyWhenAsked) {
  Figure f = lines();
  f.title = "A sentence";
  LayoutOptions options = page(300, 200);
  const auto says = [&] {
    for (const Label& l : all_of_kind<Label>(layout(f, options, light_theme(), metrics)))
      if (l.text == f.title) return true;
    return false;
  };
  EXPECT_FALSE(says());
  options.title = true;
  EXPECT_TRUE(says());
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
}  // namespace orrery::figure
