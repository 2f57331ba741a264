#include "app/language/pattern.h"

#include <gtest/gtest.h>

namespace orrery::language::pattern_test {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Pattern, FindsWhatVaries) {
  const Pattern position("position {}");
  EXPECT_EQ(position.match("position 17"), (Parts{"17"}));
  EXPECT_FALSE(position.match("position "));
  EXPECT_FALSE(position.match("a position 17"));
  EXPECT_EQ(Pattern("{} of {} checks hold").match("3 of 14 checks hold"), (Parts{"3", "14"}));
  EXPECT_EQ(Pattern("no place").match("no place"), (Parts{}));
  EXPECT_FALSE(Pattern("no place").match("no places"));
}

TEST(Pattern, TriesLongerPartsWhereTheShortestLeadNowhere) {
  EXPECT_EQ(Pattern("{} at {} and {}x").match("a at b at c and d and ex"), (Parts{"a", "b at c", "d and e"}));
}

TEST(Pattern, KeepsFormulasWhole) {
  EXPECT_EQ(Pattern("{} = {}").match("$a = b$ = 3"), (Parts{"$a = b$", "3"}));
  EXPECT_EQ(Pattern("base $b = {}$, {}").match("base $b = 10^{4}$, $x, y$"), (Parts{"10^{4}", "$x, y$"}));
  EXPECT_FALSE(Pattern("base $b = {}$").match("base $b = 1$ or $c = 2$"));
  EXPECT_EQ(Pattern("costs {}").match("costs \\$5"), (Parts{"\\$5"}));  // money opens no formula
}

TEST(Pattern, FillsInOrderOrByNumber) {
  const std::vector<std::string> parts{"3", "14"};
  EXPECT_EQ(Pattern("{} of {}").fill(parts), "3 of 14");
  EXPECT_EQ(Pattern("{2} 项中的 {1} 项").fill(parts), "14 项中的 3 项");
  EXPECT_EQ(Pattern("$10^{2}$ {}").fill(parts), "$10^{2}$ 3");  // a group of TeX, not a place
  EXPECT_EQ(Pattern("{} {} {}").fill(parts), "3 14 {}");
}

TEST(Pattern, DropsTheSpaceBetweenTwoIdeographs) {
  const std::vector<std::string> word{"查询"}, number{"7"};
  EXPECT_EQ(Pattern("位置 {} 处").fill(word), "位置查询处");
  EXPECT_EQ(Pattern("位置 {} 处").fill(number), "位置 7 处");
}

TEST(Pattern, KnowsItsKind) {
  EXPECT_TRUE(Pattern("{2} {1}").numbered());
  EXPECT_FALSE(Pattern("{} {}").numbered());
  EXPECT_TRUE(Pattern("{} {1}").mixed());
  EXPECT_TRUE(Pattern("a {}{} b").ambiguous());
  EXPECT_FALSE(Pattern("{} {}").ambiguous());
  EXPECT_EQ(Pattern("a {} b").weight(), 4u);
}

}  // namespace
}  // namespace orrery::language::pattern_test
