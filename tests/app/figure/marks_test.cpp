// Each mark on the page: where its pieces stand, and what a theme makes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "app/figure/coverage.h"
#include "app/figure/gallery.h"
#include "app/figure/histogram.h"
#include "app/figure/stage.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::marks_test {
namespace {

constexpr double exact = 1e-9;  // points: rounding of a few sums of some hundred points

Panel bare(Mark mark) {
  Panel panel;
  panel.x = {.range = Range{0, 10}, .visible = false};
  panel.y = {.range = Range{0, 10}, .visible = false};
  panel.legend = LegendPlace::none;
  panel.marks = {std::move(mark)};
  return panel;
}

Scene drawn(Mark mark, const Theme& theme = light_theme()) {
  return layout(one(bare(std::move(mark))), page(300, 200), theme, metrics);
}

TEST(Marks, StairsChangeWhereTheySay) {
  const Line line{.x = {1, 3}, .y = {2, 6}};
  const auto corners_of = [&](Course course) {
    Line l = line;
    l.course = course;
    const Scene scene = drawn(l);
    std::vector<std::pair<double, double>> at;
    const auto drawn_lines = all_of_kind<Polyline>(scene);
    for (const Point p : drawn_lines.at(0).points) at.push_back(scene.panels[0].to_data(p));
    return at;
  };
  const auto expect = [](const auto& found, std::vector<std::pair<double, double>> wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(found[i].first, wanted[i].first, exact);
      EXPECT_NEAR(found[i].second, wanted[i].second, exact);
    }
  };
  expect(corners_of(Course::step_after), {{1, 2}, {3, 2}, {3, 6}});
  expect(corners_of(Course::step_before), {{1, 2}, {1, 6}, {3, 6}});
  expect(corners_of(Course::step_middle), {{1, 2}, {2, 2}, {2, 6}, {3, 6}});
}

TEST(Marks, ACloudOfPointsIsThinnedButKeepsItsShape) {
  Points cloud{.radius = 2};
  for (int i = 0; i < 200000; ++i) {
    cloud.x.push_back(2 + 6 * std::abs(std::sin(i * 12.9898)));
    cloud.y.push_back(2 + 6 * std::abs(std::sin(i * 78.233)));
  }
  const Scene scene = drawn(cloud);
  const auto centres = all_of_kind<Discs>(scene).at(0).centres;
  const Rect& plot = scene.panels[0].plot;
  EXPECT_LT(double(centres.size()), 0.36 * plot.w * plot.h + 2 * (plot.w + plot.h))
      << "one to a square point";
  for (std::size_t i = 0; i < cloud.x.size();
       i += 997) {  // nobody is further from a disc than a square's diagonal
    const Point p = scene.panels[0].to_page(cloud.x[i], cloud.y[i]);
    EXPECT_TRUE(std::ranges::any_of(
        centres, [&](Point c) { return std::hypot(c.x - p.x, c.y - p.y) <= std::numbers::sqrt2; }));
  }
  cloud.ink.alpha = 0.5;  // then it does tell
  EXPECT_EQ(all_of_kind<Discs>(drawn(cloud)).at(0).centres.size(), cloud.x.size());
}

TEST(Marks, StemsStandOnTheirBaseline) {
  const Scene scene = drawn(Stems{.x = {2, 4, std::nan("")}, .y = {3, 7, 5}, .baseline = 1});
  const auto lines = all_of_kind<Polyline>(scene);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(scene.panels[0].to_data(lines[1].points.front()).second, 1, exact);
  EXPECT_NEAR(scene.panels[0].to_data(lines[1].points.back()).second, 7, exact);
  EXPECT_EQ(all_of_kind<Discs>(scene).at(0).centres.size(), 2u);
}

TEST(Marks, ErrorsReachAsFarAsTheySay) {
  const Scene scene = drawn(ErrorBars{.x = {5}, .y = {5}, .dx = {{2}, {}}, .dy = {{1}, {3}}, .cap = 2});
  double left = 10, right = 0, low = 10, high = 0;
  for (const Polyline& line : all_of_kind<Polyline>(scene))
    if (line.points.size() == 2) {
      const auto [x0, y0] = scene.panels[0].to_data(line.points[0]);
      const auto [x1, y1] = scene.panels[0].to_data(line.points[1]);
      left = std::min({left, x0, x1});
      right = std::max({right, x0, x1});
      low = std::min({low, y0, y1});
      high = std::max({high, y0, y1});
    }
  EXPECT_EQ(all_of_kind<Polyline>(scene).size(), 6u);  // two bars with two caps each
  EXPECT_NEAR(left, 3, exact);
  EXPECT_NEAR(right, 7, exact);  // above not given: as below
  EXPECT_NEAR(low, 4, exact);
  EXPECT_NEAR(high, 8, exact);
}

TEST(Marks, ArrowsPointWhereTheyGoAndShrinkTheirHeads) {
  const auto head = [](double length) {
    const Scene scene = drawn(Arrows{.x = {1}, .y = {5}, .dx = {length}, .dy = {0}, .head = 5});
    return std::pair(scene, all_of_kind<Polygon>(scene).at(0).points);
  };
  const auto [scene, long_head] = head(8);
  EXPECT_NEAR(scene.panels[0].to_data(long_head[0]).first, 9, exact);
  EXPECT_NEAR(long_head[0].x - long_head[1].x, 5, exact);
  const double tiny = 4 / scene.panels[0].plot.w * 10;  // four points on the page
  const auto short_head = head(tiny).second;
  EXPECT_NEAR(short_head[0].x - short_head[1].x, 0.45 * 4, 1e-6);
  // The shaft ends inside its head: the point stays sharp.
  EXPECT_LT(all_of_kind<Polyline>(scene).at(0).points.back().x, long_head[0].x - 3);
  const Scene dot = drawn(Arrows{.x = {1}, .y = {5}, .dx = {0}, .dy = {0}});
  EXPECT_TRUE(all_of_kind<Polygon>(dot).empty());
  EXPECT_EQ(all_of_kind<Discs>(dot).size(), 1u);
}

TEST(Marks, ArcsAreRound) {
  const Scene scene =
      drawn(Arc{.x = 5, .y = 5, .radius = 30, .from = 0, .sweep = std::numbers::pi, .on_page = true});
  const Point middle = scene.panels[0].to_page(5, 5);
  const auto path = all_of_kind<Polyline>(scene).at(0).points;
  for (const Point p : path) {
    EXPECT_NEAR(std::hypot(p.x - middle.x, p.y - middle.y), 30, exact);
    EXPECT_LE(p.y, middle.y + exact) << "counter-clockwise from the right: above";
  }
  for (std::size_t i = 1; i < path.size();
       ++i) {  // the chord stays within a fiftieth of a point of the circle
    const Point m{(path[i].x + path[i - 1].x) / 2, (path[i].y + path[i - 1].y) / 2};
    EXPECT_GT(std::hypot(m.x - middle.x, m.y - middle.y), 30 - 0.021);
  }
}

TEST(Marks, ShapesAreFilledAndOutlined) {
  Shape shape{.x = {1, 9, 5}, .y = {1, 1, 9}, .edge = series(1)};
  const Scene scene = drawn(shape);
  EXPECT_EQ(all_of_kind<Polygon>(scene).size(), 1u);
  ASSERT_EQ(all_of_kind<Polyline>(scene).size(), 1u);
  EXPECT_TRUE(all_of_kind<Polyline>(scene)[0].closed);
  shape.fill.reset();
  EXPECT_TRUE(all_of_kind<Polygon>(drawn(shape)).empty());
}

TEST(Marks, HistogramsCountEveryValueOnce) {
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(i * i % 97 + 0.25 * (i % 7));
  // Quartiles 19.5 and 74.3125 by Python's statistics.quantiles(n=4, method='inclusive'): width 18.746, six bins.
  const Histogram h = histogram(values);
  EXPECT_EQ(h.heights, (std::vector<double>{42, 31, 29, 28, 30, 40}));
  EXPECT_EQ(h.edges.front(), 0);
  EXPECT_EQ(h.edges.back(), 97.25);

  const Histogram density = histogram(values, {.count = 10, .density = true});
  double area = 0;
  for (std::size_t i = 0; i < 10; ++i) area += density.heights[i] * (density.edges[i + 1] - density.edges[i]);
  EXPECT_NEAR(area, 1, 1e-12);

  const Histogram log = histogram({1, 10, 100, -5, std::nan("")}, {.count = 2, .scale = Scale::log()});
  EXPECT_NEAR(log.edges[1], 10, 1e-12);
  EXPECT_EQ(log.heights[0] + log.heights[1], 3);
  EXPECT_TRUE(histogram({}).edges.empty());
  EXPECT_EQ(histogram({4, 4, 4}).heights.size(), 3u);  // all alike: Sturges, log2(3) + 1
}

// A seventh has the first one's colour again, and never its dash too.
TEST(Marks, PaperTellsThirtySixSeriesApart) {
  std::set<std::pair<std::size_t, std::vector<double>>> lines;
  for (int i = 0; i < 36; ++i)
    lines.emplace(std::size_t(i) % print_theme().series.size(),
                  dash_lengths(shown_dash(Line{.ink = series(i)}, print_theme()), 1));
  EXPECT_EQ(lines.size(), 36u);
}

TEST(Marks, PaperTellsSixSeriesApartWithoutColour) {
  std::set<std::vector<double>> dashes;
  std::set<Symbol> symbols;
  for (int i = 0; i < 6; ++i) {
    dashes.insert(dash_lengths(shown_dash(Line{.ink = series(i)}, print_theme()), 1));
    symbols.insert(shown_symbol(Points{.ink = series(i)}, print_theme()));
  }
  EXPECT_EQ(dashes.size(), 6u);
  EXPECT_EQ(symbols.size(), 6u);
  EXPECT_EQ(shown_symbol(Points{.ink = series(-1)}, print_theme()), Symbol::cross);
  EXPECT_EQ(shown_symbol(Points{.ink = series(3)}, dark_theme()), Symbol::disc);
}

TEST(Marks, AnAnnotationSeeksAFreePlaceNearby) {
  Panel panel = bare(curve(200, [](double x) { return 5 + 4 * std::sin(2 * x); }));
  panel.marks.push_back(Annotation{.x = 5, .y = 5 + 4 * std::sin(10), .text = "here"});
  const Scene scene = layout(one(panel), page(300, 200), light_theme(), metrics);
  const auto labels = all_of_kind<Label>(scene);
  ASSERT_EQ(labels.size(), 1u);
  const Rect words = label_box(labels[0], metrics);
  for (const Polyline& line : all_of_kind<Polyline>(scene))
    if (line.points.size() > 2) {
      EXPECT_EQ(covered(words, line, 8, metrics), 0);
    }
  const Point at = scene.panels[0].to_page(5, 5 + 4 * std::sin(10));
  EXPECT_LT(std::hypot(labels[0].at.x - at.x, labels[0].at.y - at.y), 120);
}

// Where other words have taken every place, those that find none are told; none lie on others.
TEST(Marks, AnnotationsStandOnNoOtherWords) {
  constexpr int all = 40;
  Panel panel = bare(curve(200, [](double x) { return 5 + 4 * std::sin(2 * x); }));
  for (int i = 0; i < all; ++i)
    panel.marks.push_back(Annotation{.x = 5, .y = 5, .text = "name " + std::to_string(10 + i)});
  const Scene scene = layout(one(panel), page(220, 120), light_theme(), metrics);
  std::vector<Rect> boxes;
  for (const Label& label : all_of_kind<Label>(scene)) {
    const Rect box = label_box(label, metrics);
    boxes.push_back(grown(box, -0.12 * box.h));
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(overlap(boxes[i], boxes[k])) << i << " " << k;
  EXPECT_GT(boxes.size(), 3u);
  EXPECT_LT(boxes.size(), std::size_t(all)) << "or this tests nothing";
  EXPECT_EQ(boxes.size() + scene.left_out.size(), std::size_t(all));
}

// In the gallery there are panels full of data: their legends and insets stand outside, or where nothing is.
TEST(Marks, LegendsNeverCoverData) {
  const Figure figure = gallery_figure();
  for (const std::string_view name : theme_names()) {
    const Scene scene = layout(figure, page(1100, 1400), theme_by_name(name), metrics);
    std::set<int> with_legend;
    for (const LegendBox& box : scene.legend) {
      with_legend.insert(box.panel);
      for (const PrimitiveSpan& span : scene.records[std::size_t(box.panel)].marks)
        for (std::size_t i = span.first; i < span.last; ++i)
          EXPECT_EQ(covered(box.box, scene.primitives[i], 8, metrics), 0)
              << name << " " << gallery()[std::size_t(box.panel)].name;
    }
    int labelled = 0;
    for (const Panel& panel : figure.panels)
      labelled += std::ranges::any_of(panel.marks, [](const Mark& mark) {
        return std::visit(
            [](const auto& m) {
              if constexpr (requires { m.label; }) return !m.label.empty();
              return false;
            },
            mark);
      });
    EXPECT_EQ(int(with_legend.size()), labelled) << name << ": a legend is missing";
  }
}

TEST(Marks, TheGalleryShowsEveryKind) {
  std::set<std::size_t> kinds;
  for (const Panel& panel : gallery_figure().panels)
    for (const Mark& mark : panel.marks) kinds.insert(mark.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Mark>);
}

}  // namespace
}  // namespace orrery::figure::marks_test
