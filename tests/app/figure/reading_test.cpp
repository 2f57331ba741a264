// What is read off a figure: values, names, digits.
#include "app/figure/reading.h"

#include <gtest/gtest.h>

namespace orrery::figure::reading_test {
namespace {

TEST(Reading, NumbersHaveTheDigitsThatTheirFormatHolds) {
  EXPECT_EQ(exact_text(double(0.1f)), "0.1");  // a float: the other digits of a double are noise
  EXPECT_EQ(exact_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(exact_text(-0.0), "0");
  EXPECT_EQ(exact_text(1e6), "1000000");
  EXPECT_EQ(exact_text(16777217), "16777217");
  EXPECT_EQ(read_text(double(0.12345679f)), "0.1234568");
  EXPECT_EQ(read_text(double(0.92681855f)), "0.9268185");
  EXPECT_EQ(read_text(0.5), "0.5");
  EXPECT_EQ(read_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(read_text(131072), "131072");
}

/// Two panels that share a legend, and one that does not.
Figure functions() {
  Figure figure;
  figure.panels.resize(3);
  figure.panels[0].marks = {Line{.ink = series(0), .label = "GELU"}, Line{.ink = series(1), .label = "SiLU"},
                            Points{.ink = series(1)}};
  figure.panels[1].marks = {Line{.ink = series(1)}, Line{.ink = series(0), .label = "GELU"}};
  figure.panels[2].marks = {Line{.ink = series(1)},
                            Line{.ink = {Role::faint}, .reading = {.name = "no rule"}}};
  figure.panels[2].y.label = "score";
  figure.panels[0].series_group = figure.panels[1].series_group = 1;
  return figure;
}

TEST(Reading, ASeriesHasItsNameWhereverItsLegendStands) {
  const Figure figure = functions();
  EXPECT_EQ(name_of(figure, 0, 2), "SiLU");
  EXPECT_EQ(name_of(figure, 1, 0), "SiLU");
  EXPECT_EQ(name_of(figure, 2, 0), "score");
  EXPECT_EQ(name_of(figure, 2, 1), "no rule");
}

TEST(Reading, WhatHasNoNameGoesWithItsSeriesInAllPanelsOfTheLegend) {
  using Marks = std::set<std::pair<int, int>>;
  EXPECT_EQ(same_series(functions(), 0, 1), (Marks{{0, 1}, {0, 2}, {1, 0}}));
  EXPECT_EQ(same_series(functions(), 0, 0), (Marks{{0, 0}, {1, 1}}));
}

TEST(Reading, WhatIsCalledTheSameOnBothSidesIsOneSeries) {
  using Marks = std::set<std::pair<int, int>>;
  Figure sides = functions();
  sides.panels.resize(2);
  for (int i = 0; i < 2; ++i) {
    Panel& a = sides.panels[std::size_t(i)];
    a.pair = 1 + i;
    sides.panels.push_back(a);
    sides.panels.back().series_group = 2;
  }
  EXPECT_EQ(same_series(sides, 0, 0), (Marks{{0, 0}, {1, 1}, {2, 0}, {3, 1}}));
  EXPECT_EQ(same_series(sides, 2, 1), (Marks{{0, 1}, {0, 2}, {1, 0}, {2, 1}, {2, 2}, {3, 0}}));
  std::get<Line>(sides.panels[2].marks[1]).label = "Mish";  // what goes with it there is Mish's
  EXPECT_EQ(same_series(sides, 0, 1), (Marks{{0, 1}, {0, 2}, {1, 0}}));
}

}  // namespace
}  // namespace orrery::figure::reading_test
