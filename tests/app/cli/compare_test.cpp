// orrery render … --compare: two sides in one figure.
#include "tests/app/cli/program.h"

namespace orrery::cli_test::compare_test {
namespace {

using Compare = orrery::cli_test::Program;
using orrery::cli_test::contents;

TEST_F(Compare, TheFigureIsARecipeAndTheSameBytes) {
  const std::string a = path("a.svg"), b = path("b.svg"), again = path("again.svg");
  for (const char* mode : {"side-by-side", "overlay", "difference"}) {
    for (const std::string& file : {a, b}) {
      const auto result =
          run({"render", "rope/rotation", "--compare", "base=10000", "--compare-mode", mode, "-o", file});
      ASSERT_EQ(result.code, 0) << result.err;
    }
    EXPECT_EQ(contents(a), contents(b)) << mode;
    ASSERT_EQ(run({"render", a, "-o", again}).code, 0);
    EXPECT_EQ(contents(a), contents(again)) << mode;
  }
  const std::string recipe = run({"inspect", a, "--json"}).json()["recipe"];
  EXPECT_NE(recipe.find("[compare]\nmode = \"difference\""), std::string::npos) << recipe;
}

TEST_F(Compare, ARemarkNamesItsPanelInWords) {
  const auto result = run({"render", "output/head", "--compare", "words='a b c d'", "--compare-mode",
                           "overlay", "-o", path("both.svg")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("compare: Terms h_j E_vj: a row adds up"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find('$'), std::string::npos) << result.err;
}

TEST_F(Compare, TablesHoldBothSides) {
  const auto result = run({"render", "rope/rotation", "--compare", "base=10000", "--compare-mode",
                           "difference", "-o", path("numbers.csv"), "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto said = result.json();
  EXPECT_EQ(said["compare"]["mode"], "difference");
  EXPECT_EQ(said["compare"]["study"], "rope/rotation");
  bool difference = false;
  for (const auto& file : said["files"])
    difference = difference || contents(file.get<std::string>()).find("(B − A)") != std::string::npos;
  EXPECT_TRUE(difference);
}

TEST_F(Compare, SideAMayBeAnotherDeviceStudyOrFigure) {
  const std::string first = path("first.svg"), out = path("out.svg");
  EXPECT_EQ(
      run({"render", "norm/compare", "--compare-device", "ref", "--compare-mode", "difference", "-o", out})
          .code,
      0);
  EXPECT_EQ(run({"render", "norm/compare", "--compare", "activation/functions", "-o", out}).code, 0);
  ASSERT_EQ(run({"render", "norm/compare", "--set", "mean=3", "-o", first}).code, 0);
  ASSERT_EQ(run({"render", "norm/compare", "--compare", first, "-o", out}).code, 0);
  const std::string recipe = run({"inspect", out, "--json"}).json()["recipe"];
  const std::size_t of_side_a = recipe.find("[compare.parameters]");
  ASSERT_NE(of_side_a, std::string::npos) << recipe;
  EXPECT_NE(recipe.find("\nmean = 3.0", of_side_a), std::string::npos) << recipe;
}

TEST_F(Compare, AnimatesTheLiveSide) {
  const auto result = run({"render", "norm/compare", "--compare", "mean=0", "--compare-mode", "overlay",
                           "--animate", "mean=0:2", "--frames", "2", "--dpi", "40", "-o", path("f%02d.png")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(contents(path("f00.png")), contents(path("f01.png")));
}

TEST_F(Compare, WhatIsWrongIsSaidInOneLine) {
  const std::string out = path("x.svg");
  expect_error(2, {"render", "norm/compare", "--compare-mode", "overlay", "-o", out}, {"--compare"});
  expect_error(2, {"render", "norm/compare", "--compare", "mean=0", "--compare-mode", "over", "-o", out},
               {"--compare-mode: found 'over'", "allowed: side-by-side, overlay, difference"});
  expect_error(2, {"render", "norm/compare", "--compare", "meen=0", "-o", out},
               {"--compare", "meen", "mean"});
  expect_error(2, {"render", "norm/compare", "--compare", "mean=0", "--compare-device", "tpu", "-o", out},
               {"--compare-device: found 'tpu'"});
}

}  // namespace
}  // namespace orrery::cli_test::compare_test
