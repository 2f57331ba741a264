// What attention/entropy says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// NumPy, means of 400 rows and how far single rows are off: 512 keys, σ = 2: 4.378 ± 0.43; 80 to 91 keys share alike ± 28,
/// 125 ± 21 have 90 %; σ = 1: 5.739 ± 0.056, 311 ± 17, 313 ± 7; σ = 8: 0.82 ± 0.61. Means of eight rows are off by a third
/// of that, and four times this is allowed.
TEST(AttentionEntropy, IsThatOfNormalScores) {
  const auto result = compute("attention/entropy", {{"deviation", "1"}});
  EXPECT_NEAR(at(result, "by_deviation", "entropy", 1), 5.7388, 0.08);
  EXPECT_NEAR(at(result, "by_deviation", "keys that share alike", 1), 311.2, 24);
  EXPECT_NEAR(at(result, "by_deviation", "keys with 90 %", 1), 313.5, 10);
  const auto two = compute("attention/entropy", {});
  EXPECT_NEAR(at(two, "by_deviation", "entropy", 2), 4.378, 0.6);
  EXPECT_NEAR(at(two, "by_deviation", "keys with 90 %", 2), 124.8, 30);
  EXPECT_NEAR(at(two, "by_deviation", "of endless keys", 2), std::log(512.0) - 2, 1e-12);
  const auto frozen = compute("attention/entropy", {{"deviation", "8"}});
  EXPECT_NEAR(at(frozen, "by_deviation", "entropy", 8), 0.82, 0.87);
  EXPECT_TRUE(all_hold(result) && all_hold(two) && all_hold(frozen));
}

TEST(AttentionEntropy, ScoresAlikeAreSharedByAll) {
  const auto result = compute("attention/entropy", {{"deviation", "0"}, {"keys", "64"}});
  EXPECT_NEAR(at(result, "by_deviation", "keys that share alike", 0), 64, 1e-3);
  EXPECT_EQ(at(result, "by_deviation", "keys with 90 %", 0), 58);  // 57.6 of 64
  EXPECT_NEAR(at(result, "ranks", "weight", 64), 1.0 / 64, 1e-8);
}

namespace attention_entropy_title {

bool says_what_is_shared(const titles::Said& said) {
  const auto part =
      said.as("{} keys, scores of deviation {}: an entropy of {} nat, as if {} shared alike; {} have 90 %");
  if (!part) return false;
  const double deviation = said.settings.real("deviation");
  const auto here = [&](const char* column) { return at(said.result, "by_deviation", column, deviation); };
  return titles::number_of((*part)[0]) == static_cast<double>(said.settings.integer("keys")) &&
         titles::says((*part)[1], deviation, 3) &&
         std::abs(titles::number_of((*part)[2]) - here("entropy")) <= 0.005001 &&
         titles::says((*part)[3], here("keys that share alike"), 3) &&
         titles::says((*part)[4], here("keys with 90 %"), 3);
}

const titles::Entries entries{{"attention/entropy", says_what_is_shared}};

}  // namespace attention_entropy_title

}  // namespace
}  // namespace orrery::study
