// What attention/scaling says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Var(q·k) = σ⁴ d. The mean square of T S products, where each query meets all keys, spreads by about
/// √(2/(T d) + 2/(S d) + 2/(T S)) of itself: at d = 64, T = 32, S = 256 by 5 %. Four times that is allowed.
TEST(AttentionScaling, TheVarianceIsTheWidthTimesTheFourthPowerOfTheDeviation) {
  const auto result = compute("attention/scaling", {{"keys", "256"}, {"deviation", "2"}});
  EXPECT_NEAR(at(result, "variance", "unscaled", 64), 16 * 64, 0.2 * 16 * 64);
  EXPECT_NEAR(at(result, "variance", "over √d", 64), 16, 0.2 * 16);
  EXPECT_NEAR(at(result, "variance", "over d", 64), 0.25, 0.2 * 0.25);
  EXPECT_EQ(at(result, "variance", "unscaled, expected", 64), 1024);
  EXPECT_TRUE(all_hold(result));
}

/// mpmath: of n normal scores of variance 1, softmax leaves the largest of 64 at about e^2.4/(64 e^0.5); of variance 1024 the
/// first is ahead of the second by about 32 · 0.35, which leaves it nearly all.
TEST(AttentionScaling, LongVectorsUnscaledAreDecidedByOneKey) {
  const auto result = compute("attention/scaling", {});
  EXPECT_GT(at(result, "largest_weight", "unscaled", 1024), 0.9);
  EXPECT_NEAR(at(result, "largest_weight", "over √d", 1024), std::exp(2.4 - 0.5) / 64, 0.03);
  EXPECT_NEAR(at(result, "largest_weight", "over d", 1024), std::exp(2.4 / 32) / 64, 0.001);
  EXPECT_NEAR(at(result, "entropy", "over d", 1024), std::log(64.0), 0.001);
  // Even weights of 64 keys: √63/64.
  EXPECT_NEAR(at(result, "gradient", "over d", 1024), std::sqrt(63.0) / 64, 0.001);
  EXPECT_LT(at(result, "gradient", "unscaled", 1024), 0.5 * at(result, "gradient", "unscaled", 4));
}

TEST(AttentionScaling, AWidthBetweenThePowersOfTwoHasItsOwnRow) {
  const auto result = compute("attention/scaling", {{"width", "100"}});
  EXPECT_EQ(at(result, "variance", "unscaled, expected", 100), 100);
  EXPECT_EQ(table(result, "variance").columns[0].values.size(), 10u);
}

namespace attention_scaling_title {

bool says_the_largest(const titles::Said& said) {
  const auto part = said.as(
      "Of vectors of {} numbers the largest of {} weights is {} unscaled, {} over $\\sqrt{d}$, and {} over $d$");
  const auto width = static_cast<double>(said.settings.integer("width"));
  const auto largest = [&](const char* rule) { return at(said.result, "largest_weight", rule, width); };
  return part && titles::number_of((*part)[0]) == width &&
         titles::number_of((*part)[1]) == static_cast<double>(said.settings.integer("keys")) &&
         titles::says((*part)[2], largest("unscaled"), 2) &&
         titles::says((*part)[3], largest("over √d"), 2) && titles::says((*part)[4], largest("over d"), 2);
}

const titles::Entries entries{{"attention/scaling", says_the_largest}};

}  // namespace attention_scaling_title

}  // namespace
}  // namespace orrery::study
