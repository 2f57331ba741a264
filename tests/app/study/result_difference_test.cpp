#include "app/study/result_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace orrery::study::result_difference_test {
namespace {

StudyResult table_of(std::vector<double> values) {
  StudyResult result;
  result.tables = {{"score", {{.name = "cosine", .values = std::move(values)}}}};
  return result;
}

StudyResult figure_of(figure::Mark mark) {
  StudyResult result;
  result.figure.panels.resize(1);
  result.figure.panels[0].marks = {std::move(mark)};
  return result;
}

TEST(ResultDifference, IsRelativeToTheLargestOfItsColumn) {
  const ResultDifference d = result_difference(table_of({1, 4.5, 0}), table_of({1, 4, 0.25}));
  EXPECT_EQ(d.absolute, 0.5);
  EXPECT_EQ(d.relative, 0.5 / 4);
  EXPECT_EQ(d.where, "score: cosine");
  EXPECT_EQ(d.unlike, "");
}

TEST(ResultDifference, WhatVanishesIsMeasuredByTheRest) {
  const auto result = [](double value, double error) {
    StudyResult of;
    of.tables = {{"t", {{.name = "value", .values = {value}}, {.name = "error", .values = {error}}}}};
    return of;
  };
  const ResultDifference d = result_difference(result(8, 0x1p-24), result(8, 0x1p-53));
  EXPECT_EQ(d.relative, (0x1p-24 - 0x1p-53) / 8);
  // An error that is more than rounding is a result of its own.
  EXPECT_EQ(result_difference(result(8, 0x1p-24), result(8, 0x1p-25)).relative, 1);
}

TEST(ResultDifference, OfEqualsIsNothing) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const StudyResult a = table_of({NAN, -infinity, 3});
  const ResultDifference d = result_difference(a, a);
  EXPECT_EQ(d.absolute, 0);
  EXPECT_EQ(d.relative, 0);
  EXPECT_EQ(d.where, "");
}

TEST(ResultDifference, ANumberIsInfinitelyFarFromNone) {
  EXPECT_TRUE(std::isinf(result_difference(table_of({NAN}), table_of({1})).relative));
  EXPECT_TRUE(std::isinf(result_difference(table_of({1}), table_of({0})).relative)) << "beside zero";
}

TEST(ResultDifference, SaysWhatHasAnotherShape) {
  EXPECT_EQ(result_difference(table_of({1, 2}), table_of({1})).unlike, "score: cosine");
  EXPECT_EQ(result_difference(table_of({1}), StudyResult{}).unlike, "score");
}

TEST(ResultDifference, SeesWhatFiguresShow) {
  const auto line = [](double y) { return figure_of(figure::Line{.x = {0, 1}, .y = {8, y}}); };
  EXPECT_EQ(result_difference(line(2), line(1)).relative, 1.0 / 8);
  EXPECT_EQ(result_difference(line(2), line(1)).where, "panel 1");
  const auto map = [](float top) {
    figure::Heatmap m;
    m.grid = std::make_shared<figure::Grid>(figure::Grid{1, 2, {-2, top}});
    return figure_of(m);
  };
  EXPECT_EQ(result_difference(map(1.5F), map(1)).relative, 0.25);
  const auto sampled = [](float slope) {
    figure::Heatmap m;
    m.x = m.y = {0, 1 << 20};
    m.full_cols = m.full_rows = 1 << 20;
    m.sampler = [slope](figure::Range, figure::Range, int cols, int rows) {
      return figure::Grid{rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols), slope)};
    };
    return figure_of(m);
  };
  EXPECT_EQ(result_difference(sampled(5), sampled(4)).relative, 0.25);
  EXPECT_EQ(result_difference(line(1), map(1)).unlike, "panel 1");
}

}  // namespace
}  // namespace orrery::study::result_difference_test
