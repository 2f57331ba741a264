// What studies are written with: series, pictures, declarations, slacks.
#include "app/study/kit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/tensor/error.h"

namespace orrery::study::kit_test {
namespace {

Series squares() {
  Series series("squares", {"n", "tokens", {1, 2, 3}});
  series.add("square", [](double n) { return n * n; }).add({.name = "root", .digits = 3}, [](double n) {
    return std::sqrt(n);
  });
  return series;
}

TEST(Series, DrawsItsColumns) {
  const Series series = squares();
  const Line line = series.line("square", {.ink = ink(Role::accent), .label = "n²"});
  EXPECT_EQ(line.x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(line.y, (std::vector<double>{1, 4, 9}));
  EXPECT_EQ(line.label, "n²");
  EXPECT_EQ(series.bars("square").height, line.y);
  EXPECT_EQ(series.band("root", "square").lo, series["root"]);
  EXPECT_EQ(series.table().columns[1].values, line.y);
  EXPECT_EQ(series.table().columns[2].digits, 3);
  EXPECT_EQ(series.table().columns[0].unit, "tokens");
}

TEST(Numbers, WhatIsNoNumberIsTheLargestDifference) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> right{1, 2, 3};
  for (const std::vector<double>& wrong : {std::vector{nan, 2.0, 3.0}, {1.0, nan, 3.0}, {1.0, 2.0, nan}}) {
    EXPECT_FALSE((Check{"they are equal", largest_difference(wrong, right), 1}.holds()));
    EXPECT_TRUE(std::isnan(largest(wrong)));
  }
  EXPECT_EQ(largest_difference(right, std::vector<double>{1, 2, 5}), 2);
}

TEST(Series, IsCutByRows) {
  EXPECT_EQ(squares().first(2)["square"], (std::vector<double>{1, 4}));
  EXPECT_EQ(squares().first(9).size(), 3u);
  EXPECT_EQ(squares().rows(std::array<std::size_t, 2>{2, 0})["square"], (std::vector<double>{9, 1}));
}

TEST(Tables, RowsAreFoundByTheirWords) {
  StudyResult result;
  Table table{"models", {{.name = "model"}, {.name = "layers"}}};
  add_row(table, "GPT-2", 12);
  add_row(table, Called{"LLaMA 7B", 7}, 32);
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{1, 7}));
  result.tables = {table};
  EXPECT_EQ(at(result, "models", "layers", "LLaMA 7B"), 32);
  EXPECT_EQ(at(result, "models", "layers", 7), 32);
  EXPECT_THROW(at(result, "models", "layers", "LLaMA"), Failure);
}

TEST(Series, WordsAreCutWithTheirRows) {
  Series named("functions", {.name = "function", .values = {1, 2, 3}, .words = {"f", "g", "h"}});
  EXPECT_EQ(named.first(2).table().columns[0].words, (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(named.rows(std::array<std::size_t, 2>{2, 0}).table().columns[0].words,
            (std::vector<std::string>{"h", "f"}));
}

TEST(Series, KnowsWhatItHasNot) {
  try {
    squares()["cube"];
    FAIL() << "found";
  } catch (const Failure& error) {
    EXPECT_EQ(std::string(error.what()), "table squares: no column 'cube'");
  }
}

constexpr auto parameters = std::to_array<Parameter>({
    whole("length", "Length", "24", {2, 512}, "queries", {.travel = Travel::log, .unit = "tokens"}),
    with_fallback(choice("mask", "Mask", "none|causal", "which keys"), "causal"),
    show_parameter("all|left|right"),
});

TEST(Declare, SaysTheSameAsALongDeclaration) {
  EXPECT_EQ(parameters[0].kind, parameter::Kind::integer);
  EXPECT_EQ(parameters[0].max, 512);
  EXPECT_EQ(parameters[0].unit, "tokens");
  EXPECT_EQ(parameters[0].travel, Travel::log);
  EXPECT_EQ(parameters[1].fallback, "causal");
  EXPECT_TRUE(parameters[2].presentation);
  EXPECT_EQ(parameters[2].fallback, "all");
  const Settings settings(parameters);
  EXPECT_EQ(settings.real("length"), 24);  // a whole number is a real one
}

figure::Figure shown(std::string_view part, std::initializer_list<const char*> names) {
  Settings settings(parameters);
  settings.set("show", part);
  Picture picture("Title", "What there is to see.");
  int column = 0;
  for (const char* name : names) picture.at({0, column++}, name, {.title = name});
  std::vector<double> weights(names.size(), 1);
  weights.back() = 2;
  return std::move(picture).figure(settings, {.aspect = 2, .cols = weights});
}

TEST(Picture, ShowsAllOrOneAlone) {
  EXPECT_EQ(shown("all", {"left", "right"}).panels.size(), 2u);
  const figure::Figure alone = shown("right", {"left", "right"});
  ASSERT_EQ(alone.panels.size(), 1u);
  EXPECT_EQ(alone.panels[0].title, "");  // the caption says it
  EXPECT_TRUE(alone.description.starts_with("One part alone (right) of this figure: ")) << alone.description;
  EXPECT_EQ(alone.panels[0].cell.col, 0);
  EXPECT_EQ(alone.col_weights, std::vector<double>{1});
  EXPECT_NE(alone.aspect, 2);
}

TEST(Picture, ShowsPanelsOfOneNameTogether) {
  const figure::Figure together = shown("right", {"left", "right", "right"});
  ASSERT_EQ(together.panels.size(), 2u);
  EXPECT_EQ(together.panels[0].cell.col, 0);
  EXPECT_EQ(together.panels[1].cell.col, 1);
  EXPECT_EQ(together.panels[1].title, "right");
  EXPECT_EQ(together.col_weights, (std::vector<double>{1, 2}));
}

TEST(Picture, ShowsAFigureOfItsOwnInsteadOfThePanels) {
  int made = 0;
  const auto titles = [&](std::string_view part) {
    Settings settings(parameters);
    settings.set("show", part);
    Picture picture("Title", "What there is to see.");
    picture.at({0, 0}, "left", {.title = "left"}).at({0, 1}, "", {.title = "beside"});
    picture.instead("right", [&made] {
      ++made;
      Picture own("Another", "Something else.");
      own.at({0, 0}, "", {.title = "own"});
      return std::move(own).whole({.aspect = 3});
    });
    const figure::Figure figure = std::move(picture).figure(settings, {.cols = {1, 1}});
    std::string all = figure.title;
    for (const Panel& panel : figure.panels) all += " " + panel.title;
    return all;
  };
  EXPECT_EQ(titles("all"), "Title left beside");  // a panel without a name stands among all of them only
  EXPECT_EQ(titles("left"), "Title ");
  EXPECT_EQ(made, 0);
  EXPECT_EQ(titles("right"), "Another own");
  EXPECT_EQ(made, 1);
}

TEST(Picture, RefusesNamesThatAreNotTheChoices) {
  EXPECT_THROW(shown("all", {"left"}), Failure);
  EXPECT_THROW(shown("all", {"left", "middle"}), Failure);
  EXPECT_THROW(shown("all", {"right", "left"}), Failure);
}

TEST(Expects, ReadsTablesByTheirNames) {
  const StudyResult result{.figure = {}, .tables = {squares().table()}, .checks = {}};
  EXPECT_EQ(column(result, "squares", "square"), (std::vector<double>{1, 4, 9}));
  EXPECT_EQ(column_from(result, "squares", "square", 2), (std::vector<double>{4, 9}));
  EXPECT_EQ(at(result, "squares", "square", 2), 4);
  EXPECT_EQ(at(result, "squares", "square", 2.9), 4);  // of the stretch that begins at 2
  EXPECT_EQ(x_where(result, "squares", "square", [](double y) { return y > 1; }), 2);
  EXPECT_TRUE(std::isnan(x_where(result, "squares", "square", [](double y) { return y > 9; })));
  EXPECT_EQ(most(column(result, "squares", "square")) - least(column(result, "squares", "square")), 8);
  EXPECT_THROW(column(result, "cubes", "square"), Failure);
  EXPECT_THROW(column(result, "squares", "cube"), Failure);
  EXPECT_THROW(at(result, "squares", "square", 0), Failure);
}

TEST(Checks, SlackIsThatOfTheDevice) {
  const twin::Bounds bounds{{.abs = 0.5, .rel = 0.25}, {.row = 0.125}};
  const Matrix y = Matrix::Constant(1, 3, -4);
  study::Run run;
  EXPECT_EQ(slack(run, bounds, y, 8), 1.5);
  run.device = DeviceChoice::gpu;
  EXPECT_EQ(slack(run, bounds, y, 8), 0.5);
  run.device = DeviceChoice::ref;
  EXPECT_EQ(slack(run, bounds, y, 8), 0x1p-53 * 32);
}

TEST(Checks, TheWorstKeepsWhatIsNoNumber) {
  Worst worst;
  worst.meet(2);
  worst.meet(1);
  EXPECT_EQ(worst, 2);
  worst.meet(std::numeric_limits<double>::quiet_NaN());
  worst.meet(5);
  EXPECT_FALSE((Check{"", worst, 10}.holds()));
}

}  // namespace
}  // namespace orrery::study::kit_test
