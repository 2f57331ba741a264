// What attention/sinks says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}

/// By hand: sixteen scores that are all the level c get 16/(16 + e^(z − c)).
TEST(AttentionSinks, EvenScoresShareWhatTheSinkLeaves) {
  const auto result = compute("attention/sinks", {{"deviation", "0"}, {"level", "-2"}, {"sink", "1"}});
  EXPECT_NEAR(sum_of(column(result, "row", "with the sink")), 16 / (16 + std::exp(3.0)), 1e-6);
  EXPECT_NEAR(sum_of(column(result, "row", "softmax")), 1, 1e-6);
  EXPECT_NEAR(at(result, "totals", "with the sink", 1), 16.0 / 17, 1e-6);
  EXPECT_NEAR(at(result, "totals", "softmax plus one", 0), 16.0 / 17, 1e-6);
  EXPECT_NEAR(at(result, "totals", "softmax plus one", -12), 16 / (16 + std::exp(12.0)), 1e-9);
  EXPECT_TRUE(all_hold(result));
}

/// By hand: even scores but for the first four, which are e^b times as large. A cache of W recent tokens and K first ones holds
/// (W + min(K, 4) e^b)/(T − 4 + 4 e^b) where W reaches none of the first.
TEST(AttentionSinks, ACacheHoldsItsTokensShare) {
  const double first = std::exp(6.0);
  const auto result = compute("attention/sinks", {{"deviation", "0"}, {"kept", "2"}});
  EXPECT_NEAR(at(result, "cache", "recent tokens", 255), 32 / (252 + 4 * first), 1e-6);
  EXPECT_NEAR(at(result, "cache", "and the first", 255), (32 + 2 * first) / (252 + 4 * first), 1e-6);
  // While the text is no longer than the window, all is held.
  EXPECT_NEAR(at(result, "cache", "recent tokens", 30), 1, 1e-6);
}

/// A caption says "Boost of first tokens = 12": no number of tokens.
TEST(AttentionSinks, WhatIsAddedIsNoNumberOfTokens) {
  const auto& parameters = find("attention/sinks").parameters;
  const auto boost = std::ranges::find(parameters, "boost", &parameter::Parameter::name);
  ASSERT_NE(boost, parameters.end());
  EXPECT_EQ(boost->label, "Boost of first tokens");
}

/// Xiao et al., section 3.2: of the cached tokens 0, 1, 2, 3, 6, 7, 8 the positions are 0 … 6 (with the ninth read, 7).
TEST(AttentionSinks, PositionsAreThoseOfTheCache) {
  const auto result = compute("attention/sinks", {{"length", "16"}, {"window", "3"}});
  EXPECT_EQ(column(result, "places", "in the text"), (std::vector<double>{0, 1, 2, 3, 13, 14, 15}));
  EXPECT_EQ(column(result, "places", "in the cache"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  // A window that reaches the first tokens keeps none of them twice.
  const auto all = compute("attention/sinks", {{"length", "16"}, {"window", "14"}});
  EXPECT_EQ(column(all, "places", "in the text").size(), 16u);
}

namespace attention_sinks_title {

bool says_the_shares(const titles::Said& said) {
  const auto part = said.as(
      "With a sink of {} the keys get {} %; of the last token's weight recent tokens hold {} %, with the first ones {} %");
  return part && titles::says((*part)[0], said.settings.real("sink"), 3) &&
         titles::says((*part)[1], 100 * sum_of(column(said.result, "row", "with the sink")), 2) &&
         titles::says((*part)[2], 100 * column(said.result, "cache", "recent tokens").back(), 2) &&
         titles::says((*part)[3], 100 * column(said.result, "cache", "and the first").back(), 2);
}

const titles::Entries entries{{"attention/sinks", says_the_shares}};

}  // namespace attention_sinks_title

}  // namespace
}  // namespace orrery::study
