// The table of a sweep as a figure: what is read, what is refused, and that the title is what the table says.
#include <gtest/gtest.h>

#include <algorithm>
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

std::string title_over(const std::string& rows) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "table.csv").string();
  std::ofstream(path) << heading << rows;
  return compute("training/sweep", {{"table", path.c_str()}}).figure.title;
}

TEST(Sweep, MeansHaveTheDigitsThatMakeThemTwo) {
  EXPECT_TRUE(title_over("a,8,1,x,16,4,2.0832,0.5,\nb,8,1,y,16,4,2.0846,0.5,\n")
                  .ends_with("the loss is least with a, 2.083, and most with b, 2.085"));
  EXPECT_TRUE(title_over("a,8,1,x,16,4,2.083214,0.5,\nb,8,1,y,16,4,2.083231,0.5,\n")
                  .ends_with("the loss is least with a, 2.08321, and most with b, 2.08323"));
}

// a: 2.0832 ± 0.0354, 2 seeds 0.05 apart; b: 2.0846 and the same.
TEST(Sweep, WhatSeedsDoIsNoDifferenceBetweenVariants) {
  EXPECT_TRUE(title_over("a,8,1,x,16,4,2.0582,0.5,\na,8,2,x,16,4,2.1082,0.5,\n"
                         "b,8,1,y,16,4,2.0596,0.5,\nb,8,2,y,16,4,2.1096,0.5,\n")
                  .ends_with("the loss is alike within the spread between seeds, from 2.083 to 2.085"));
  EXPECT_TRUE(title_over("a,8,1,x,16,4,2.0582,0.5,\na,8,2,x,16,4,2.1082,0.5,\n"
                         "b,8,1,y,16,4,2.0846,0.5,\n")
                  .ends_with("the loss is alike within the spread between seeds, from 2.083 to 2.085"))
      << "of either variant";
  EXPECT_TRUE(title_over("a,8,1,x,16,4,2.0582,0.5,\na,8,2,x,16,4,2.1082,0.5,\n"
                         "b,8,1,y,16,4,2.1096,0.5,\nb,8,2,y,16,4,2.1396,0.5,\n")
                  .ends_with("the loss is least with a, 2.08, and most with b, 2.12"));
}

TEST(Sweep, EqualMeansAreAlike) {
  EXPECT_TRUE(title_over("a,8,1,x,16,4,2,0.5,\nb,8,1,y,16,4,2,0.5,\nc,8,1,z,16,4,2,0.5,\n")
                  .ends_with("the loss is alike with all variants, 2"));
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

/// One standard deviation between the seeds of a variant at a length, of the table of all; 0 of one seed.
double deviation_of(const titles::Said& said, const std::string& variant, double length) {
  const std::vector<double>& lengths = said.column("seeds", "length");
  const std::vector<double>& measure = said.column("seeds", said.settings.choice("measure"));
  const std::vector<std::string>& variants = said.table("seeds").columns[0].words;
  std::vector<double> seeds;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (lengths[i] == length && variants.at(i) == variant) seeds.push_back(measure[i]);
  double mean = 0, squares = 0;
  for (const double x : seeds) mean += x / double(seeds.size());
  for (const double x : seeds) squares += (x - mean) * (x - mean);
  return seeds.size() > 1 ? std::sqrt(squares / double(seeds.size() - 1)) : 0;
}

bool says_least_and_most(const titles::Said& said) {
  const std::string there =
      "Trained up to {} tokens, asked up to {}: there the " + said.settings.choice("measure");
  const figure::Table& means = said.table("means");
  const double length = means.columns[0].values.back();
  if (const auto alone = said.as(there + " with {} is {}"))
    return titles::says((*alone)[1], length) && means.columns[1].name == (*alone)[2] &&
           titles::says((*alone)[3], means.columns[1].values.back(), 3);
  double least = INFINITY, most = -INFINITY;
  std::string with_least, with_most;
  for (std::size_t c = 1; c < means.columns.size(); ++c) {
    const figure::Column& column = means.columns[c];
    if (column.name == "the least that can be") continue;
    const double x = column.values.back();
    if (x < least) least = x, with_least = column.name;
    if (x > most) most = x, with_most = column.name;
  }
  const double six_digits = 1e-5 * std::abs(most);
  if (const auto alike = said.as(there + " is alike with all variants, {}"))
    return titles::says((*alike)[1], length) && most - least <= six_digits &&
           titles::says((*alike)[2], least, 3);
  const double spread =
      std::max(deviation_of(said, with_least, length), deviation_of(said, with_most, length));
  const auto are_two = [&](const std::string& low, const std::string& high) {
    return titles::number_of(low) < titles::number_of(high) && titles::says(low, least, 3) &&
           titles::says(high, most, 3);
  };
  if (const auto part = said.as(there + " is alike within the spread between seeds, from {} to {}"))
    return titles::says((*part)[1], length) && most - least <= spread && are_two((*part)[2], (*part)[3]);
  const auto part = said.as(there + " is least with {}, {}, and most with {}, {}");
  return part && titles::says((*part)[1], length) && most - least > spread && with_least == (*part)[2] &&
         with_most == (*part)[4] && are_two((*part)[3], (*part)[5]);
}

const titles::Entries entries{{"training/sweep", says_least_and_most}};

}  // namespace sweep_title

}  // namespace
}  // namespace orrery::study
