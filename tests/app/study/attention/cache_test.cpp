// The life of a cache, against a plain one in NumPy (tests/reference/cache_life.py) and numbers by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <variant>

#include "app/study/attention/cache_life.h"
#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace attention_cache_test {
namespace {

const std::vector<double>& gone_elsewhere(const StudyResult& result) {
  return column(result, "passes", "weight elsewhere");
}

/// The settings of tests/reference/cache_life.py, and its vectors in the place of random ones.
std::vector<double> lived(Changes changes) {
  parameter::Settings settings(find("attention/cache").parameters);
  for (const auto& [name, text] : Changes{{"prompt", "7"},
                                          {"chunk", "3"},
                                          {"decoded", "6"},
                                          {"padding", "2"},
                                          {"capacity", "9"},
                                          {"first_kept", "2"},
                                          {"trained", "8"},
                                          {"factor", "3"},
                                          {"base", "100"},
                                          {"head_width", "8"}})
    settings.set(name, std::string_view(text));
  for (const auto& [name, text] : changes) settings.set(name, std::string_view(text));
  attention_cache::Asked asked(settings);
  for (Index t = 0; t < asked.q.rows(); ++t)
    for (Index j = 0; j < asked.q.cols(); ++j) {
      asked.q(t, j) = std::sin(0.7 * number(t) + 1.3 * number(j) + 0.2);
      asked.k(t, j) = 2 * std::cos(0.5 * number(t) - 0.9 * number(j));
    }
  Run run;
  run.device = DeviceChoice::ref;
  const attention_cache::CacheLife life = attention_cache::life_of(run, asked);
  std::vector<double> gone;
  for (Index p = 0; p < std::ssize(life.passes); ++p)
    gone.push_back(attention_cache::elsewhere(life.cached, life.recomputed, p));
  return gone;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  EXPECT_LT(largest_difference(found, expected), 1e-11);  // they are given to twelve digits
}

/// The bar stands beside the legend's last entry, which a longer name would run into.
TEST(AttentionCache, TheBarOfDistancesHasAShortName) {
  const auto result = compute("attention/cache", {{"colour", "distance"}});
  for (const figure::Mark& mark : result.figure.panels.at(0).marks)
    if (const auto* map = std::get_if<figure::Heatmap>(&mark)) {
      EXPECT_EQ(map->colors.label, "too long by");
      return;
    }
  FAIL() << "no map";
}

TEST(AttentionCache, EveryMistakeGoesAsFarAstrayAsInNumPy) {
  expect_near(lived({{"mistake", "old_rotation"}, {"change", "dynamic"}}),
              {0, 0, 0, 0, 0.015495664161, 0.046028174507, 0.087738046105, 0.050104553714, 0.076576826778});
  expect_near(lived({{"mistake", "old_rotation"}, {"change", "dynamic"}, {"renumber", "on"}}),
              {0, 0, 0, 0, 0.015495664161, 0.101470381197, 0.299577179538, 0.252410179171, 0.250782007524});
  expect_near(lived({{"mistake", "decoded_at_zero"}, {"change", "none"}}),
              {0, 0, 0, 0.348611618085, 0.283188536843, 0.423402948330, 0.509967920049, 0.185360525798,
               0.413934367437});
  expect_near(lived({{"mistake", "chunks_from_zero"}, {"change", "none"}}),
              {0, 0.253166634077, 0.239618335054, 0.054792496171, 0.028901690069, 0.058202274450,
               0.068093056118, 0.102697780611, 0.058096193168});
  expect_near(lived({{"mistake", "table_by_length"}, {"change", "none"}}),
              {0, 0.253166634077, 0.089663850131, 0.281991570774, 0.194259638507, 0.298752455642,
               0.385252769263, 0.161205650105, 0.351887161987});
  expect_near(lived({{"mistake", "prompt_before_zero"}, {"change", "none"}}),
              {0, 0, 0, 0.248223813399, 0.378329401280, 0.116000478072, 0.132165324147, 0.176666401385,
               0.380662214903});
  expect_near(lived({{"mistake", "length_of_cache"}, {"change", "none"}}),
              {0, 0, 0, 0, 0, 0.229139584829, 0.302933971950, 0.302963966211, 0.317347142553});
  expect_near(lived({{"mistake", "never_reset"}, {"change", "dynamic"}}),
              {0.030245339420, 0.065075299227, 0.027861519406, 0.087101215258, 0.059589459894, 0.031076455474,
               0.012152347405, 0.003618311999, 0});
}

TEST(AttentionCache, WithoutAMistakeNothingGoesElsewhere) {
  for (const char* change : {"none", "dynamic", "dynamic_yarn", "longrope", "base", "xpos"})
    for (const char* renumber : {"off", "on"})
      EXPECT_LT(largest(lived({{"mistake", "none"}, {"change", change}, {"renumber", renumber}})), 1e-13)
          << change;
}

// By hand: all vectors alike and xPos' centre at ⌊n/2⌋. A key that was read when the text had n₀ tokens carries ζ^(−(⌊n/2⌋ −
// ⌊n₀/2⌋)/512) too much, pair by pair; one pair of d = 4, ζ_0 = 2/7, turns by 1 rad, the other, ζ_1 = 9/14, by 0.01.
TEST(AttentionCache, CentresOfXposThatMoveScaleOldKeys) {
  const Changes changes = {
      {"change", "xpos"}, {"head_width", "4"}, {"capacity", "0"}, {"prompt", "10"},
      {"chunk", "0"},     {"decoded", "10"},   {"padding", "0"},  {"mistake", "old_rotation"}};
  const auto old = compute("attention/cache", changes);
  EXPECT_EQ(at(old, "tokens", "centre of the scales", 0), 5);
  EXPECT_EQ(at(old, "tokens", "centre of the scales", 19), 10);
  const auto &right = column(old, "last_query", "score, recomputed"),
             &cached = column(old, "last_query", "score as cached");
  const double zeta[] = {2.0 / 7, 9.0 / 14}, theta[] = {1, 0.01};
  const auto pair = [&](int i, double scaled_by, double r) {
    return std::pow(zeta[i], scaled_by / 512) * std::cos(r * theta[i]);
  };
  // √d = 2 times the score at distance 0 is the sum of both pairs' squared lengths; that at 1 tells them apart.
  const double sum = 2 * right[19];
  const double fast = (2 * right[18] - sum * pair(1, 1, 1)) / (pair(0, 1, 1) - pair(1, 1, 1)),
               slow = sum - fast;
  for (std::size_t n = 0; n < 20; ++n) {
    const double r = 19 - number(n), centre = std::floor(std::max(number(n) + 1, 10.0) / 2);
    EXPECT_NEAR(cached[n], (fast * pair(0, r - (10 - centre), r) + slow * pair(1, r - (10 - centre), r)) / 2,
                1e-12);
  }
  EXPECT_GT(gone_elsewhere(old).back(), 1e-5);
  EXPECT_EQ(gone_elsewhere(old).front(), 0);
  EXPECT_TRUE(all_hold(old));
}

TEST(AttentionCache, TheWholeTextStandsWhereItStandsHoweverSlotsAreNumbered) {
  const auto whole = [](const char* renumber) {
    return column(compute("attention/cache", {{"mistake", "none"},
                                              {"renumber", renumber},
                                              {"pads", "counted"},
                                              {"padding", "32"},
                                              {"capacity", "0"}}),
                  "tokens", "weight, whole text");
  };
  EXPECT_LT(largest_difference(whole("on"), whole("off")), 1e-15);
}

TEST(AttentionCache, AChangeOfFrequenciesIsSeenInTheSlowestPair) {
  // b'/b is (s n/M − (s − 1))^(d/(d−2)), and the slowest pair is slower by its power (d − 2)/d: 4 · 48/32 − 3 = 3.
  const auto dynamic = compute("attention/cache", {});
  EXPECT_NEAR(at(dynamic, "tokens", "slowest pair, times slower", 47), 3, 1e-12);
  EXPECT_NEAR(at(dynamic, "passes", "slowest pair, times slower", 12), 4 * 33.0 / 32 - 3, 1e-12);
  EXPECT_EQ(at(dynamic, "tokens", "length as cached", 0), 8);
  const auto listed = compute("attention/cache", {{"change", "longrope"}});
  EXPECT_NEAR(at(listed, "tokens", "slowest pair, times slower", 32), 4, 1e-12);
  EXPECT_EQ(at(listed, "tokens", "slowest pair, times slower", 31), 1);
  const auto base = compute("attention/cache", {{"change", "base"}, {"head_width", "4"}});
  EXPECT_NEAR(at(base, "tokens", "slowest pair, times slower", 40), std::sqrt(50.0), 1e-12);
  const auto yarn = compute("attention/cache",
                            {{"change", "dynamic_yarn"}});  // s = n/L, and a pair as slow as that is divided
  EXPECT_NEAR(at(yarn, "tokens", "slowest pair, times slower", 47), 1.5, 1e-12);
}

// By hand: d = 4 and base 10 turn pairs by 1 and 10^(−1/2) rad a token; a query at 0 and a key at n make the score of a
// distance −n, which is that of n where all vectors are alike. So a decoded token at 0 looks at prompt and text as if they
// began with it.
TEST(AttentionCache, ADecodedTokenAtZeroLooksAtItsPromptFromTheOtherEnd) {
  const auto result = compute("attention/cache", {{"mistake", "decoded_at_zero"},
                                                  {"change", "none"},
                                                  {"capacity", "0"},
                                                  {"decoded", "1"},
                                                  {"head_width", "4"},
                                                  {"base", "10"}});
  const auto &seen = column(result, "tokens", "weight as cached"),
             &right = column(result, "tokens", "weight, recomputed");
  // Its own key is at 0 as well: the distances 0, 1 … 23 and 0 once more, against 24 … 1 and 0.
  double most = 0;
  for (std::size_t n = 1; n < 24; ++n)
    most = std::max(most, std::abs(std::log(seen[n] / seen[0]) - std::log(right[24 - n] / right[24])));
  EXPECT_LT(most, 1e-12);
  EXPECT_NEAR(seen[24], seen[0], 1e-15);
  EXPECT_EQ(at(result, "last_query", "distance as cached", 10), -10);
}

namespace attention_cache_title {

bool says_what_it_costs(const titles::Said& said) {
  const auto& gone = said.column("passes", "weight elsewhere");
  const auto& lost = said.column("passes", "weight elsewhere, whole text");
  if (said.is("Here the mistake moves less than 0.01 % of the last token's weight"))
    return said.settings.choice("mistake") != "none" && gone.back() < 1e-4;
  if (said.is("The cache gives what the whole text at once gives"))
    return said.settings.choice("mistake") == "none" && largest(gone) < 1e-4 && lost.back() < 1e-4;
  if (const auto part =
          said.as("The cache gives what turning all its keys anew gives; against the whole text {} % of "
                  "the last token's weight is elsewhere"))
    return said.settings.choice("mistake") == "none" && largest(gone) < 1e-4 &&
           titles::says((*part)[0], 100 * lost.back(), 2);
  for (
      const auto& [mistake, pattern] :
      {std::pair{"old_rotation",
                 "Keys that keep their old rotation: the last token gives {} % of its weight to other keys"},
       {"decoded_at_zero", "Every decoded token at 0: the last one gives {} % of its weight to other keys"},
       {"chunks_from_zero",
        "Every chunk counted from 0: the last token gives {} % of its weight to other keys"},
       {"table_by_length",
        "Angles remembered by size alone: the last token gives {} % of its weight to other keys"},
       {"prompt_before_zero",
        "A prompt that begins before 0: the last token gives {} % of its weight to other keys"},
       {"length_of_cache",
        "Positions counted by the keys that are held: the last token gives {} % of its weight to other keys"},
       {"never_reset",
        "Frequencies of a longer text: the last token gives {} % of its weight to other keys"}})
    if (const auto part = said.as(pattern))
      return said.settings.choice("mistake") == mistake && titles::says((*part)[0], 100 * gone.back(), 2);
  return false;
}

const titles::Entries entries{{"attention/cache", says_what_it_costs}};

}  // namespace attention_cache_title

}  // namespace
}  // namespace attention_cache_test
}  // namespace orrery::study
