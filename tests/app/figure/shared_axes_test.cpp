// Axes and colours that several panels share, and axes opposite the first.
#include "app/figure/shared_axes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figure/color_groups.h"
#include "app/figure/color_map.h"
#include "app/figure/second_axis.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::shared_axes_test {
namespace {

/// Two rows and two columns; all x axes of one group, the y axes of each row of one.
Figure grid_of_four() {
  Figure figure;
  figure.row_weights = figure.col_weights = {1, 1};
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 2; ++col) {
      Panel panel;
      panel.x = {.label = "position", .group = 1};
      panel.y = {.label = "score", .group = 2 + row};
      Line line = curve(
          50, [](double x) { return x; }, 0, 5 + 5 * col);
      for (double& y : line.y) y *= 1 + row + 2 * col;
      panel.marks = {line};
      panel.cell = {row, col};
      figure.panels.push_back(panel);
    }
  return figure;
}

int labels_with(const Scene& scene, std::string_view text) {
  const auto labels = all_of_kind<Label>(scene);
  return int(std::ranges::count_if(labels, [&](const Label& l) { return l.text == text; }));
}

TEST(SharedAxes, OneRangeAndNumbersSaidOnce) {
  const Figure figure = grid_of_four();
  const auto axes = panel_axes(figure);
  for (const PanelAxes& own : axes) EXPECT_EQ(*own.x.range, *axes[0].x.range);
  EXPECT_EQ(axes[0].x.range->hi, 10);
  EXPECT_EQ(*axes[0].y.range, *axes[1].y.range);
  EXPECT_NE(*axes[0].y.range, *axes[2].y.range);
  const Scene scene = layout(figure, page(500, 400), light_theme(), metrics);
  EXPECT_EQ(labels_with(scene, "position"), 2);  // the lower row
  EXPECT_EQ(labels_with(scene, "score"), 2);     // the left column
  for (const PanelFrame& frame : scene.panels) EXPECT_EQ(frame.x, scene.panels[0].x);
}

TEST(SharedAxes, InLineOnly) {
  Figure figure = grid_of_four();
  figure.panels[1].cell = {0, 2};  // nothing stands below it any more
  figure.col_weights = {1, 1, 1};
  EXPECT_TRUE(panel_axes(figure)[1].x.numbers);
  EXPECT_FALSE(panel_axes(figure)[0].x.numbers);
}

TEST(SharedAxes, FollowAZoomWhereverTheyStand) {
  const Figure figure = grid_of_four();
  View view;
  view.panels = {{Range{2, 3}, Range{4, 5}}};
  follow(figure, 0, view);
  ASSERT_EQ(view.panels.size(), 4u);
  for (const View::PanelView& shown : view.panels) EXPECT_EQ(shown.x, (Range{2, 3}));
  EXPECT_EQ(view.panels[1].y, (Range{4, 5}));
  EXPECT_FALSE(view.panels[2].y) << "the other row has y axes of its own";
  View alone;
  alone.panels = {{Range{2, 3}, Range{4, 5}}};
  follow(one(figure.panels[0]), 0, alone);
  EXPECT_EQ(alone.panels.size(), 1u);
}

TEST(SharedColors, OneRangeAndOneBar) {
  Figure figure;
  figure.col_weights = {1, 1};
  for (int i = 0; i < 2; ++i) {
    Panel panel;
    Heatmap map = heatmap(4, 4);
    auto values = std::make_shared<Grid>(*map.grid);
    for (float& v : values->values) v += float(100 * i);
    map.grid = values;
    map.colors.group = 7;
    panel.marks = {map};
    panel.cell = {0, i};
    figure.panels.push_back(panel);
  }
  const auto groups = color_groups(figure);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups.at(7).range, (Range{0, 115}));
  EXPECT_EQ(groups.at(7).bar, 1);
  const Scene scene = layout(figure, page(500, 200), light_theme(), metrics);
  const auto images = all_of_kind<Image>(scene);
  ASSERT_EQ(images.size(), 3u);  // two maps, one bar
  const Image& bar = images.back();
  EXPECT_EQ(bar.width, 1);
  EXPECT_GT(bar.box.x, scene.panels[1].plot.x + scene.panels[1].plot.w);
  EXPECT_EQ(bar.box.h, scene.panels[1].plot.h);
  EXPECT_EQ(images[0].pixels->front(),
            map_color(ColorMap::viridis, 12 / 115.0));  // the top row begins with 12
}

TEST(SecondAxis, AMapPutsTicksWhereTheFirstAxisHasTheirValues) {
  Panel panel;
  PanelFrame frame;
  frame.y = frame.whole_y = Range{0, 53};
  panel.right.emplace().map = [](double bits) { return bits * std::log10(2.0); };
  const auto scale = second_scale(*panel.right, false, frame);
  ASSERT_TRUE(scale);
  EXPECT_NEAR(scale->range.hi, 53 * std::log10(2.0), 1e-12);
  EXPECT_NEAR(scale->share(10), 10 / std::log10(2.0) / 53, 1e-12);
  frame.y_reversed = true;
  EXPECT_NEAR(second_scale(*panel.right, false, frame)->share(10), 1 - 10 / std::log10(2.0) / 53, 1e-12);
  panel.right->map = [](double v) { return -v; };  // falling is monotone too
  EXPECT_EQ(second_scale(*panel.right, false, frame)->range, (Range{-53, 0}));
  frame.y_reversed = false;
  EXPECT_NEAR(second_scale(*panel.right, false, frame)->share(-10), 10.0 / 53, 1e-12);
  panel.right->map = [](double v) { return std::cos(v); };
  EXPECT_FALSE(second_scale(*panel.right, false, frame));
  panel.right->map = [](double) { return std::nan(""); };
  EXPECT_FALSE(second_scale(*panel.right, false, frame));
}

TEST(SecondAxis, ItsMarksHaveAScaleOfTheirOwnAndFollowAZoom) {
  Panel panel;
  panel.marks = {curve(
                     20, [](double x) { return x; }, 0, 1),
                 curve(
                     20, [](double x) { return 1000 * x; }, 0, 1)};
  panel.right.emplace().marks = {1};
  const Scene scene = layout(one(panel), page(300, 200), light_theme(), metrics);
  const auto lines = all_of_kind<Polyline>(scene);
  std::vector<Polyline> curves;
  for (const Polyline& l : lines)
    if (l.points.size() > 5) curves.push_back(l);
  ASSERT_EQ(curves.size(), 2u);
  for (std::size_t i = 0; i < curves[0].points.size(); ++i)  // each fills its own axis in the same way
    EXPECT_NEAR(curves[0].points[i].y, curves[1].points[i].y, 1e-9);
  PanelFrame zoomed = scene.panels[0];
  zoomed.y = {0.25, 0.5};
  EXPECT_NEAR(mark_frame(panel, 1, zoomed).y.lo, 250, 1e-9);
  EXPECT_NEAR(mark_frame(panel, 1, zoomed).y.hi, 500, 1e-9);
  EXPECT_EQ(mark_frame(panel, 0, zoomed).y, zoomed.y);
}

TEST(NamedAxis, NamesStandAtWholeNumbers) {
  Panel panel;
  panel.x.names = {"f64", "f32", "f16"};
  panel.marks = {Bars{.x = {0, 1, 2}, .height = {3, 2, 1}}};
  const Scene scene = layout(one(panel), page(300, 200), light_theme(), metrics);
  for (int i = 0; i < 3; ++i) {
    const auto labels = all_of_kind<Label>(scene);
    const auto label = std::ranges::find(labels, panel.x.names[std::size_t(i)], &Label::text);
    ASSERT_NE(label, labels.end());
    EXPECT_NEAR(label->at.x, scene.panels[0].to_page(i, 0).x, 1e-9);
  }
}

TEST(Degrees, AreWholeAndCarryTheirSign) {
  using std::numbers::pi;
  const auto labels = [](Range range, int target) {
    return tick_labels(locate_ticks(Scale::linear(), range, target, TickHint::degrees));
  };
  EXPECT_EQ(labels({0, 2 * pi}, 5), (std::vector<std::string>{"0°", "90°", "180°", "270°", "360°"}));
  EXPECT_EQ(labels({-pi / 4, pi / 4}, 3), (std::vector<std::string>{"−30°", "0°", "30°"}));
  EXPECT_EQ(labels({0, pi / 360}, 5).front(), "0°");
  const TickSet ticks = locate_ticks(Scale::linear(), {0, pi}, 4, TickHint::degrees);
  EXPECT_NEAR(ticks.value(ticks.count - 1), pi, 1e-12);
}

TEST(NumberLabel, ShortAndWithATrueMinus) {
  EXPECT_EQ(number_label(0.25), "0.25");
  EXPECT_EQ(number_label(-3), "−3");
  EXPECT_EQ(number_label(1.0 / 3), "0.333333");
  EXPECT_EQ(number_label(65536), "65\u2009536");
  EXPECT_EQ(number_label(0), "0");
  EXPECT_EQ(number_label(5e-324).front(), '$');
}

}  // namespace
}  // namespace orrery::figure::shared_axes_test
