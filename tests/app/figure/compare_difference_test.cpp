// One figure minus the other.
#include <gtest/gtest.h>

#include <cmath>

#include "app/figure/data_range.h"
#include "tests/app/figure/compare_samples.h"

namespace orrery::figure::compare_difference_test {
namespace {

using namespace compare_samples;

TEST(Difference, SamplesAreMatchedByTheirPlaceNotByTheirWords) {
  Figure a = one(Panel{}), b = one(Panel{});
  a.panels[0].marks = {Points{.x = {0, 1, 2, 3}, .y = {1, 2, 3, 4}, .label = "4 come round"},
                       Points{.x = {4, 5}, .y = {5, 6}, .label = "2 never do"}};
  b.panels[0].marks = {Points{.x = {0, 1}, .y = {1, 4}, .label = "2 come round"},
                       Points{.x = {2, 3, 4, 5}, .y = {9, 16, 25, 36}, .label = "4 never do"}};
  const Comparison c = difference(a, b);
  EXPECT_TRUE(c.remarks.empty());
  std::vector<std::pair<double, double>> all;
  for (const Mark& mark : c.figure.panels[0].marks)
    if (const auto* points = std::get_if<Points>(&mark))
      for (std::size_t i = 0; i < points->x.size(); ++i) all.emplace_back(points->x[i], points->y[i]);
  EXPECT_EQ(all, (std::vector<std::pair<double, double>>{{0, 0}, {1, 2}, {2, 6}, {3, 12}, {4, 20}, {5, 30}}));
  std::get<Points>(b.panels[0].marks[1]).x.back() = 7;
  const Comparison fewer = difference(a, b);
  ASSERT_EQ(fewer.remarks.size(), 1u);
  EXPECT_EQ(fewer.remarks[0], "only the positions that A and B have in common");
}

TEST(Difference, EqualIsSaidInWords) {
  const Figure f = lines();
  bool said = false;
  const Comparison c = difference(f, f);
  for (const Mark& mark : c.figure.panels[0].marks)
    if (const auto* inset = std::get_if<Inset>(&mark)) said = said || inset->text == "equal in both";
  EXPECT_TRUE(said);
}

TEST(Difference, IsOfTheSeriesThatIsTheSameThingAndNotOfTheSameWords) {
  Figure a = line_of({0, 1}, {1, 1}), b = a;
  const auto curve = [](double y, const char* label, const char* role) {
    return Line{.x = {0, 1}, .y = {y, y}, .label = label, .reading = {.role = role}};
  };
  a.panels[0].marks = {curve(1, "base 10 000", "paper"), curve(5, "base 500 000", "chosen")};
  b.panels[0].marks = {curve(1, "base 10 000", "chosen")};
  const Comparison c = difference(a, b);
  EXPECT_EQ(first_line(c).y, (std::vector<double>{-4, -4}));
  EXPECT_EQ(c.remarks, (std::vector<std::string>{"a series that only one of A and B has is left out"}));
}

TEST(Difference, OfLanesIsThatOfTheirValues) {
  Figure a = line_of({0, 1}, {0, 0});
  const auto lanes = [](double value) {
    Panel panel;
    panel.y = {.range = Range{-0.5, 1.5}, .reversed = true, .names = {"0", "16"}};
    panel.legend = LegendPlace::none;
    for (int i = 0; i < 2; ++i)
      panel.marks.emplace_back(Line{.x = {0, 1},
                                    .y = {i - 0.4 * value, double(i)},
                                    .ink = series(i),
                                    .reading = {.name = "dimension", .value = {value, 0}}});
    return panel;
  };
  a.panels[0] = lanes(0.5);
  Figure b = a;
  b.panels[0] = lanes(-0.5);
  const Comparison c = difference(a, b);
  EXPECT_EQ(first_line(c).y, (std::vector<double>{-1, 0}));
  EXPECT_EQ(first_line(c).label, "dimension");
  const Axis& y = c.figure.panels[0].y;
  EXPECT_FALSE(y.reversed);
  EXPECT_TRUE(y.names.empty());
  EXPECT_FALSE(y.range) << "found anew in the values";
}

// A ray to (2, 2) and one to (1, 3) have no difference at x = 1 that means anything.
TEST(Difference, APlaneHasNone) {
  Figure a = line_of({0, 2}, {0, 2}), b = line_of({0, 1}, {0, 3});
  a.panels[0].equal_aspect = b.panels[0].equal_aspect = true;
  const Comparison c = difference(a, b);
  EXPECT_EQ(c.figure.panels.size(), 2u);
  ASSERT_EQ(c.remarks.size(), 1u);
  EXPECT_EQ(c.remarks[0], "both directions of a plane are values, so A and B stand side by side");
}

TEST(Difference, ALoneMarkerDoesNotStretchTheAxis) {
  Figure a = line_of({0, 1, 2}, {0, 0, 0}), b = line_of({0, 1, 2}, {0, 0.01, 0});
  a.panels[0].marks.push_back(Points{.x = {1}, .y = {0}});
  b.panels[0].marks.push_back(Points{.x = {1}, .y = {5}});
  const Comparison c = difference(a, b);
  EXPECT_LT(y_range(c.figure.panels[0]).hi, 0.1);
}

TEST(Difference, APanelThatARemarkSpeaksOfHasThatName) {
  Figure a = line_of({0, 1}, {0, 1});
  a.panels.push_back(line_of({0, 1}, {0, 1}).panels[0]);
  a.panels[1].cell.col = 1;
  Figure b = a;
  std::get<Line>(b.panels[0].marks[0]).y = {0, 2};
  std::get<Line>(b.panels[1].marks[0]).x = {5, 6};
  const Comparison c = difference(a, b);
  ASSERT_EQ(c.remarks.size(), 1u);
  EXPECT_TRUE(c.remarks[0].starts_with("panel 2: ")) << c.remarks[0];
  EXPECT_EQ(c.figure.panels[0].title, "");
  EXPECT_EQ(c.figure.panels[1].title, "A: panel 2");
  EXPECT_EQ(c.figure.panels[2].title, "B: panel 2");
}

TEST(Difference, APanelWithoutATitleIsCalledByItsNameWhereNoOtherHasIt) {
  Figure a = line_of({0, 1}, {0, 1});
  a.panels.resize(3, a.panels[0]);
  for (int i = 0; i < 3; ++i) a.panels[std::size_t(i)].cell.col = i;
  a.panels[0].name = a.panels[1].name = "curves";
  a.panels[2].name = "drift";
  Figure b = a;
  for (Panel& panel : b.panels) std::get<Line>(panel.marks[0]).x = {5, 6};
  const Comparison c = difference(a, b);
  ASSERT_EQ(c.remarks.size(), 3u);
  EXPECT_TRUE(c.remarks[1].starts_with("panel 2: ")) << c.remarks[1];
  EXPECT_TRUE(c.remarks[2].starts_with("drift: ")) << c.remarks[2];
  EXPECT_EQ(c.figure.panels[4].title, "A: drift");
  b.panels[2].title = "Drift of both";
  EXPECT_TRUE(difference(a, b).remarks[2].starts_with("Drift of both: "));
}

TEST(Difference, OfLinesAtTheSamePositions) {
  const Comparison c = difference(line_of({0, 1, 2}, {1, 2, 3}), line_of({0, 1, 2}, {1, 5, NAN}));
  EXPECT_EQ(first_line(c).x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(first_line(c).y[0], 0);
  EXPECT_EQ(first_line(c).y[1], 3);
  EXPECT_TRUE(std::isnan(first_line(c).y[2]));
  EXPECT_EQ(c.figure.panels[0].y.label, "B − A: score at 12");
  EXPECT_TRUE(c.remarks.empty());
  EXPECT_TRUE(std::holds_alternative<Rule>(c.figure.panels[0].marks.back())) << "zero is drawn";
}

TEST(Difference, OfLinesIsInterpolatedWhereTheyHaveOtherSamples) {
  const Comparison c = difference(line_of({1, 3, 5}, {2, 6, 10}), line_of({0, 2, 4}, {0, 4, 16}));
  EXPECT_EQ(first_line(c).x, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(first_line(c).y, (std::vector<double>{0, 0, 4, 8}));
  ASSERT_EQ(c.remarks.size(), 1u);
  EXPECT_EQ(c.remarks[0], "A and B have different sample positions: interpolated between them");
}

TEST(Difference, InterpolatesAsTheLineIsDrawn) {
  Figure a = line_of({1, 100}, {0, 2}), b = line_of({1, 10, 100}, {0, 0, 0});
  a.panels[0].x.scale = b.panels[0].x.scale = Scale::log();
  EXPECT_NEAR(first_line(difference(a, b)).y.at(1), -1, 1e-15);
  Figure steps = line_of({1, 100}, {0, 2});
  steps.panels[0].x.scale = Scale::log();
  std::get<Line>(steps.panels[0].marks[0]).course = Course::step_after;
  EXPECT_EQ(first_line(difference(steps, b)).y.at(1), 0);
}

TEST(Difference, ValuesWithDecadesHaveDifferencesWithDecades) {
  Figure a = line_of({1, 2}, {1, 100}), b = line_of({1, 2}, {2, 900});
  a.panels[0].y.scale = b.panels[0].y.scale = Scale::log();
  const Scale scale = difference(a, b).figure.panels[0].y.scale;
  EXPECT_EQ(scale.kind(), Scale::Kind::symlog);
  EXPECT_DOUBLE_EQ(scale.linear_width(), 0.1);  // three decades below the 100 of 800
}

TEST(Difference, ACurveThatTurnsBackHasNone) {
  const Comparison c = difference(line_of({0, 1, 0.5}, {0, 1, 2}), line_of({0, 1, 0.6}, {0, 1, 2}));
  EXPECT_EQ(c.figure.panels.size(), 2u);
  ASSERT_EQ(c.remarks.size(), 1u);
  EXPECT_EQ(c.remarks[0], "a curve that turns back has no value at an x, so A and B stand side by side");
}

TEST(Difference, AMarkerBesideACurveMayMove) {
  Figure a = line_of({0, 1}, {0, 1}), b = line_of({0, 1}, {0, 3});
  a.panels[0].marks.push_back(Points{.x = {0.25}, .y = {0}});
  b.panels[0].marks.push_back(Points{.x = {0.75}, .y = {0}});
  const Comparison c = difference(a, b);
  ASSERT_EQ(c.figure.panels.size(), 1u);
  EXPECT_EQ(first_line(c).y, (std::vector<double>{0, 2}));
  EXPECT_EQ(c.remarks.at(0), "points at other positions are left out");
}

TEST(Difference, SaysWhereMapsAreEqual) {
  EXPECT_EQ(difference(map_of(1, 2, {3, 4}), map_of(1, 2, {3, 4})).remarks.at(0), "A and B are equal here");
  EXPECT_TRUE(difference(map_of(1, 2, {3, 4}), map_of(1, 2, {3, 5})).remarks.empty());
}

TEST(Difference, OfBarsWhereBothHaveOne) {
  Panel a, b;
  a.marks = {Bars{.x = {0, 1, 2}, .height = {1, 1, 1}, .baseline = 1}};
  b.marks = {Bars{.x = {1, 2, 3}, .height = {4, 0, 9}, .baseline = 1}};
  const Comparison c = difference(of(a), of(b));
  const auto& bars = std::get<Bars>(c.figure.panels[0].marks[0]);
  EXPECT_EQ(bars.x, (std::vector<double>{1, 2}));
  EXPECT_EQ(bars.height, (std::vector<double>{3, -1}));
  EXPECT_EQ(bars.baseline, 0);
  EXPECT_EQ(c.remarks.at(0), "only the positions that A and B have in common");
}

TEST(Difference, SeriesArePairedByNameWhereOneSideHasMore) {
  Figure a = line_of({0, 1}, {0, 1}), b = a;
  std::get<Line>(a.panels[0].marks[0]).label = "YaRN";
  std::get<Line>(b.panels[0].marks[0]).label = "linear";
  b.panels[0].marks.push_back(Line{.x = {0, 1}, .y = {5, 5}, .label = "YaRN"});
  const Comparison c = difference(a, b);
  ASSERT_EQ(c.figure.panels[0].marks.size(), 2u);  // one line, and zero
  EXPECT_EQ(first_line(c).y, (std::vector<double>{5, 4}));
  EXPECT_EQ(c.remarks.at(0), "a series that only one of A and B has is left out");
}

TEST(Difference, OfMapsCellByCell) {
  const Comparison c = difference(map_of(2, 2, {0, 1, masked, masked}), map_of(2, 2, {3, 1, masked, 2}));
  const std::vector<float>& v = first_map(c).grid->values;
  EXPECT_EQ(v[0], 3);
  EXPECT_EQ(v[1], 0);
  EXPECT_EQ(v[2], masked) << "seen on neither side";
  EXPECT_TRUE(std::isnan(v[3])) << "seen on one side only";
  EXPECT_EQ(first_map(c).colors.map, ColorMap::diverging);
  EXPECT_EQ(first_map(c).colors.centre, 0);
  EXPECT_EQ(first_map(c).colors.label, "B − A");
}

TEST(Difference, OfPhasesGoesTheShortWayRound) {
  const ColorScale phases{.map = ColorMap::cyclic, .range = Range{0, 360}};
  const Comparison c = difference(map_of(1, 2, {350, 10}, phases), map_of(1, 2, {10, 20}, phases));
  EXPECT_EQ(first_map(c).grid->values, (std::vector<float>{20, 10}));
}

TEST(Difference, OfMapsOfOtherShapes) {
  Figure longer = map_of(1, 3, {0, 5, 2});
  EXPECT_EQ(first_map(difference(map_of(1, 2, {0, 1}), longer)).full_cols, 2) << "what both have";
  std::get<Heatmap>(longer.panels[0].marks[0]).x = {0, 2};  // the same area in finer cells
  const Comparison c = difference(map_of(1, 2, {0, 1}), longer);
  EXPECT_EQ(c.figure.panels.size(), 2u);
  EXPECT_EQ(c.remarks.at(0), "A has 1 × 2 cells and B 1 × 3, so A and B stand side by side");
}

TEST(Difference, OfSampledMapsIsSampledWhereBothAre) {
  const Comparison c = difference(sampled(1 << 20, 1), sampled(1 << 19, 3));
  const Heatmap& map = first_map(c);
  EXPECT_EQ(map.x, (Range{0, 1 << 19}));
  EXPECT_EQ(map.full_cols, 1 << 19);
  const Grid grid = map.sampler({0, 4}, {0, 4}, 2, 2);
  EXPECT_EQ(grid.values, (std::vector<float>{2, 6, 2, 6}));  // 2x at 1 and 3
  EXPECT_EQ(c.remarks.at(0), "only the area that A and B have in common");
}

TEST(Difference, OfOtherGridsOfPanelsStandsSideBySide) {
  Figure a = line_of({0, 1}, {0, 1}), b = a;
  b.panels.push_back(b.panels[0]);
  b.panels[1].cell.row = 1;
  EXPECT_EQ(difference(a, b).figure.panels.size(), 3u);
  EXPECT_EQ(difference(a, b).remarks.size(), 1u);
  EXPECT_EQ(difference(a, a).remarks.at(0), "A and B are equal here");
}

}  // namespace
}  // namespace orrery::figure::compare_difference_test
