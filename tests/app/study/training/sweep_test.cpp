// The table of a sweep as a figure: what is read, what is refused, and that the title is what the table says.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/study/kit/expects.h"
#include "app/study/training/sweep_table.h"
#include "core/tensor/error.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study {
namespace {

const std::string heading = "variant,trained,seed,cell,length,sequences,loss,accuracy,floor\n";

TEST(SweepTable, RowsAsTheyStand) {
  const SweepTable table =
      sweep_table(heading + "a,8,1,x,16,4,1.5,0.5,1.25\na,8,2,y,16,4,,0.25,\nb,32,1,z,64,4,2,0,\n", "t.csv");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.variants(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.lengths(), (std::vector<double>{16, 64}));
  EXPECT_EQ(table.rows[0].floor, 1.25);
  EXPECT_TRUE(std::isnan(table.rows[1].loss));
  EXPECT_EQ(table.of("a", 16).size(), 2u);
  EXPECT_EQ(table.trained_near(20).variants(), std::vector<std::string>{"a"}) << "of two the shorter";
  EXPECT_EQ(table.trained_near(21).variants(), std::vector<std::string>{"b"});
}

TEST(SweepTable, WhatIsNoneIsOneLineWithItsPlace) {
  for (const std::string& wrong :
       {std::string(), std::string("variant,trained\n"), heading, heading + "a,8,1,x,16,4,1.5,0.5\n",
        heading + ",8,1,x,16,4,1.5,0.5,\n", heading + "a,8,1,x,16,4,-1,0.5,\n",
        heading + "a,8,1,x,16,4,1,1.5,\n", heading + "a,0,1,x,16,4,1,0.5,\n",
        heading + "a,8,1,x,16,4,nan,0.5,\n", heading + "a\x1b[1m,8,1,x,16,4,1,0.5,\n",
        heading + "a,8,1,x,16,4,1,0.5,0\nb\n", heading + "\n"}) {
    try {
      sweep_table(wrong, "t.csv");
      ADD_FAILURE() << wrong;
    } catch (const Failure& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("t.csv")) << said;
      EXPECT_EQ(said.find_first_of("\n\x1b"), said.npos) << said;
    }
  }
}

TEST(SweepTable, WhatCameWithTheProgramIsWhole) {
  const SweepTable shipped = shipped_sweep();
  for (const std::string& variant : shipped.variants())
    for (const double length : shipped.lengths())
      EXPECT_EQ(shipped.trained_near(8).of(variant, length).size(), 3u) << variant << length;
}

TEST(Sweep, OneVariantIsNeitherLeastNorMost) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "table.csv").string();
  std::ofstream(path) << heading << "rope,8,1,x,16,4,2.5,0.5,1.25\n";
  const std::string title = compute("training/sweep", {{"table", path.c_str()}}).figure.title;
  EXPECT_NE(title.find("the loss with rope is 2.5"), title.npos) << title;
}

// By hand: of 1 and 2 the mean is 1.5.
TEST(Sweep, MeansAreThoseOfTheSeeds) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "table.csv").string();
  std::ofstream(path) << heading << "a,8,1,x,16,4,1,0.5,0.5\na,8,2,y,16,4,2,0.25,0.75\n";
  const StudyResult result = compute("training/sweep", {{"table", path.c_str()}});
  EXPECT_EQ(column(result, "means", "a"), std::vector<double>{1.5});
  EXPECT_EQ(column(result, "means", "the least that can be"), std::vector<double>{0.625});
  EXPECT_TRUE(all_hold(result));
}

// 64 tokens of which a model knows half a nat more each than can be known.
TEST(Sweep, WhatCannotBeFails) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "table.csv").string();
  std::ofstream(path) << heading << "a,8,1,x,16,4,1,0.5,1.5\n";
  const StudyResult result = compute("training/sweep", {{"table", path.c_str()}});
  EXPECT_FALSE(all_hold(result));
}

namespace sweep_title {

bool says_least_and_most(const titles::Said& said) {
  const std::string measure = said.settings.choice("measure");
  const auto part =
      measure == "loss"
          ? said.as(
                "Trained up to {} tokens, asked up to {}: there the loss is least with {}, {}, and most "
                "with {}, {}")
          : said.as(
                "Trained up to {} tokens, asked up to {}: there the accuracy is least with {}, {}, and "
                "most with {}, {}");
  const figure::Table& means = said.table("means");
  if (const auto alone =
          said.as("Trained up to {} tokens, asked up to {}: there the " + measure + " with {} is {}"))
    return titles::says((*alone)[1], means.columns[0].values.back()) &&
           means.columns[1].name == (*alone)[2] &&
           titles::says((*alone)[3], means.columns[1].values.back(), 3);
  if (!part) return false;
  if (!titles::says((*part)[1], means.columns[0].values.back())) return false;
  double least = INFINITY, most = -INFINITY, named_least = NAN, named_most = NAN;
  for (std::size_t c = 1; c < means.columns.size(); ++c) {
    const figure::Column& column = means.columns[c];
    if (column.name == "the least that can be") continue;
    const double x = column.values.back();
    least = std::min(least, x);
    most = std::max(most, x);
    if (column.name == (*part)[2]) named_least = x;
    if (column.name == (*part)[4]) named_most = x;
  }
  return named_least == least && named_most == most && titles::says((*part)[3], least, 3) &&
         titles::says((*part)[5], most, 3);
}

const titles::Entries entries{{"training/sweep", says_least_and_most}};

}  // namespace sweep_title

}  // namespace
}  // namespace orrery::study
