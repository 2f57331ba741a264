// The results that a measured figure keeps, and what its sentences say of them. Nothing is measured here.
#include "app/study/norm/speed_results.h"

#include <gtest/gtest.h>

#include "app/study/kit/expects.h"
#include "core/tensor/error.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study::norm_speed_test {
namespace {

constexpr const char* two_rounds =
    "Some processor, 2 threads, 2026-11-23; 8x16; 61.2 Gflop/s; 1 2 4 8 32; 1 2 4 8 32";

TEST(NormSpeed, ResultsAreReadAsTheyWereWritten) {
  const SpeedResults results = speed_results(two_rounds);
  EXPECT_EQ(text_of(results), two_rounds);
  EXPECT_EQ(results.times.rows, 8);
  EXPECT_EQ(results.times.width, 16);
  EXPECT_EQ(results.times.rounds.size(), 2u);
  EXPECT_EQ(results.times.rounds[1][3], 8);
}

TEST(NormSpeed, OtherLinesAreRefused) {
  for (const char* text :
       {"x", ";;;;", "a; 8x16; 61.2 Gflop/s", "a; 8x16; 61.2; 1 2 3 4 5", "a; 8x; 1 Gflop/s; 1 2 3 4 5",
        "a; 8x16; 1 Gflop/s; 1 2 3 4", "a; 8x16; 1 Gflop/s; 1 2 3 4 0", "a; 8x16; 1 Gflop/s; 1 2 3 4 nan",
        "a; 8x16; 1 Gflop/s; 1 2 3 4 -5", "a; 8.5x16; 1 Gflop/s; 1 2 3 4 5",
        "a; 8x16; inf Gflop/s; 1 2 3 4 5"})
    EXPECT_THROW(speed_results(text), InvalidArgument) << text;
}

TEST(NormSpeed, WhatIsKeptGivesTheFigureAgain) {
  const StudyResult result = compute("norm/speed", {{"results", two_rounds}});
  EXPECT_TRUE(result.keeps.empty()) << "nothing was measured";
  EXPECT_EQ(
      result.figure.title,
      "On “Some processor” RMSNorm takes 50 % of LayerNorm's time fused, 25 % in passes; fusing makes LayerNorm 8 times as fast");
  EXPECT_EQ(at(result, "ratios", "median", "in passes / fused, RMSNorm"), 4);
  EXPECT_TRUE(all_hold(result));
}

/// Medians of times and the median of what they are of one another in each round are apart: both panels say which they are.
TEST(NormSpeed, BothPanelsSayWhatTheirMediansAreOf) {
  const auto result = compute("norm/speed", {{"results",
                                              "Some processor, 2 threads, 2026-11-23; 8x16; 61.2 Gflop/s; "
                                              "1 1 1 1 1; 1 2 8 1 1; 1 4 4 1 1"}});
  // Medians are 2 of RMSNorm and 4 of LayerNorm; the quotients of the rounds are 1, 4 and 1.
  EXPECT_EQ(at(result, "ratios", "median", "LayerNorm / RMSNorm, fused"), 1);
  std::vector<std::string> titles;
  for (const figure::Panel& panel : result.figure.panels) titles.push_back(panel.title);
  EXPECT_TRUE(titles.at(0).starts_with("Median of 3 rounds")) << titles.at(0);
  EXPECT_EQ(titles.at(1), "How many times as long, median over rounds");
}

TEST(NormSpeed, BothSizesCameWithTheProgram) {
  EXPECT_GE(shipped_speed(4096, 4096).times.rounds.size(), 9u);
  EXPECT_GE(shipped_speed(512, 768).times.rounds.size(), 9u);
}

/// Of a share written as "96 %".
bool says_percent(std::string_view words, double share) {
  return words.ends_with(" %") &&
         std::abs(titles::number_of(words.substr(0, words.size() - 2)) - 100 * share) <= 0.5;
}

const titles::Entries entries{
    {"norm/speed",
     [](const titles::Said& said) {
       const auto part = said.as(
           "On “{}” RMSNorm takes {} of LayerNorm's time fused, {} in passes; fusing makes LayerNorm {} times as fast");
       const std::vector<double>& median = said.column("ratios", "median");
       return part && says_percent((*part)[1], 1 / median[0]) && says_percent((*part)[2], 1 / median[1]) &&
              titles::says((*part)[3], median[3], 2);
     },
     [](const titles::Said& said) {
       const auto part = said.as("Median of {} {}, “{}”");
       return part && titles::says((*part)[0], static_cast<double>(said.column("rounds", "round").size())) &&
              titles::counts((*part)[0], (*part)[1], "round", "rounds");
     }}};

}  // namespace
}  // namespace orrery::study::norm_speed_test
