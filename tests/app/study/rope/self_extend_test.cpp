// Self-Extend's staircase, against numbers worked out on paper from the paper's formula.
#include <gtest/gtest.h>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace self_extend_study_test {
namespace {

TEST(SelfExtend, KeepsNeighboursAndGroupsTheOthers) {
  // The last token stands at 191: floor(191/4) + 16 - 4 = 59 beyond the window.
  const auto result = compute("rope/self-extend", {});
  const auto& distances = table(result, "distances");
  EXPECT_EQ(at(distances, 15, 1), 15);
  EXPECT_EQ(at(distances, 16, 1), 16);   // key 175: 59 - floor(175/4) = 59 - 43
  EXPECT_EQ(at(distances, 19, 1), 16);   // key 172
  EXPECT_EQ(at(distances, 20, 1), 17);   // key 171
  EXPECT_EQ(at(distances, 191, 1), 59);  // key 0
  EXPECT_TRUE(all_hold(result));
}

TEST(SelfExtend, AWindowIsDrawnUpToWholeGroups) {
  const auto as = [](const char* window) {
    return table(compute("rope/self-extend", {{"window", window}}), "distances").columns[1].values;
  };
  EXPECT_EQ(as("13"), as("16"));
  EXPECT_NE(as("17"), as("16"));
}

TEST(SelfExtend, LongTextsAreThinnedButEndAtTheirEnd) {
  const auto result =
      compute("rope/self-extend",
              {{"length", "131072"}, {"trained_length", "4096"}, {"group", "64"}, {"window", "1024"}});
  const auto& distances = table(result, "distances").columns;
  EXPECT_LE(distances[0].values.size(), 4098u);
  EXPECT_EQ(distances[0].values.back(), 131071);
  EXPECT_EQ(distances[1].values.back(), 2047 + 1024 - 16);
  EXPECT_TRUE(all_hold(result));
}

TEST(SelfExtend, TheMapSaysWhichTokensItHas) {
  const auto keys = [](const char* length) {
    return compute("rope/self-extend", {{"length", length}, {"show", "map"}}).figure.panels.at(0).x.label;
  };
  EXPECT_EQ(keys("256"), "key");
  EXPECT_EQ(keys("131072"), "key, of the first 256 tokens");
}

namespace self_extend_title {

bool seen_as(const titles::Said& said) {
  double longest = 0;
  for (const double d : said.column("distances", "seen")) longest = std::max(longest, d + 1);
  const double trained = double(said.settings.integer("trained_length"));
  const auto part =
      said.as(longest <= trained ? "A text of {} tokens is seen as one of {}, within the trained {}"
                                 : "A text of {} tokens is seen as one of {}, past the trained {}");
  return part && titles::says((*part)[0], double(said.settings.integer("length"))) &&
         titles::says((*part)[1], longest) && titles::says((*part)[2], trained);
}

const titles::Entries entries{{"rope/self-extend", seen_as}};

}  // namespace self_extend_title

}  // namespace
}  // namespace self_extend_study_test
}  // namespace orrery::study
