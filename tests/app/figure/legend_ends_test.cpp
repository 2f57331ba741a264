// Names at the ends of lines: where they stand, and when a legend does it instead.
#include "app/figure/legend_ends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figure/layout.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::legend_ends_test {
namespace {

/// Lines from 0 to these heights at the right edge.
Panel fan(const std::vector<double>& ends) {
  Panel panel;
  panel.x.range = Range{0, 10};
  panel.y.range = Range{0, 1};
  for (std::size_t i = 0; i < ends.size(); ++i)
    panel.marks.emplace_back(
        Line{.x = {0, 10}, .y = {0, ends[i]}, .ink = series(int(i)), .label = "no. " + std::to_string(i)});
  return panel;
}

Scene scene_of(const Panel& panel) {
  return layout(one(panel), page(300, 200), print_theme(), metrics);
}

bool beside_the_plot(const Scene& s) {
  const Rect& plot = s.panels[0].plot;
  return std::ranges::all_of(s.legend,
                             [&](const LegendBox& entry) { return entry.box.x >= plot.x + plot.w; });
}

TEST(LineEnds, EachNameStandsWhereItsLineEnds) {
  const std::vector<double> ends{0.1, 0.5, 0.9};
  const Scene s = scene_of(fan(ends));
  ASSERT_EQ(s.legend.size(), 3u);
  ASSERT_TRUE(beside_the_plot(s));
  for (const LegendBox& entry : s.legend)  // 0.5: as far as a pixel of the page
    EXPECT_NEAR(entry.box.y + entry.box.h / 2, s.panels[0].to_page(10, ends[std::size_t(entry.mark)]).y, 0.5);
  EXPECT_LE(s.legend[0].box.x + s.legend[0].box.w, 300);
}

TEST(LineEnds, NeighboursShareTheWay) {
  const Scene s = scene_of(fan({0.50, 0.53}));  // about 5 points apart, and a row is 11 high
  ASSERT_EQ(s.legend.size(), 2u);
  ASSERT_TRUE(beside_the_plot(s));
  const Rect &low = s.legend[0].box, &high = s.legend[1].box;
  EXPECT_LE(high.y + high.h, low.y + 1e-6) << "they touch, and neither covers the other";
  const double middle = s.panels[0].to_page(10, 0.515).y;
  EXPECT_NEAR((low.y + low.h / 2 + high.y + high.h / 2) / 2, middle, 0.5);
}

TEST(LineEnds, OtherwiseThereIsALegend) {
  Panel together = fan({0.5, 0.5, 0.5}), many = fan({0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95}),
        early = fan({0.2, 0.8}), points = fan({0.2, 0.8}), wordy = fan({0.2, 0.8}), above = fan({0.2, 3});
  std::get<Line>(early.marks[0]).x.back() = 8;
  points.marks.emplace_back(Points{.x = {5}, .y = {0.9}, .label = "points"});
  std::get<Line>(wordy.marks[0]).label = "a name much longer than a third of the plot is wide";
  for (const Panel& panel : {together, many, early, points, wordy, above}) {
    const Scene s = scene_of(panel);
    EXPECT_EQ(s.legend.size(), panel.marks.size());
    EXPECT_FALSE(beside_the_plot(s)) << panel.marks.size();
  }
}

// Measured in one pass and lost in the next, a name would have neither its place nor a legend's.
TEST(LineEnds, NoNameIsLostWhateverTheHeight) {
  for (double height = 50; height < 260; height += 3) {
    Panel panel = fan({0.2, 0.36, 0.44});
    panel.title = "Title";
    panel.x.label = "x";
    panel.legend = LegendPlace::above;
    const Scene s = layout(one(panel), page(220, height), print_theme(), metrics);
    if (!s.left_out.empty()) continue;
    ASSERT_EQ(s.legend.size(), 3u) << height;
    for (const LegendBox& entry : s.legend) {
      const Rect& plot = s.panels[0].plot;
      const bool over_data = entry.box.x < plot.x + plot.w && entry.box.y + entry.box.h > plot.y + 1;
      EXPECT_FALSE(over_data) << height;
    }
  }
}

}  // namespace
}  // namespace orrery::figure::legend_ends_test
