// Models before their first step: against PyTorch, and closed forms against means over seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "app/study/block/start_moments.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/source.h"

namespace orrery::study {
namespace block_init_test {
namespace {

using nlohmann::json;

constexpr const char* id = "block/init";

std::string name_of(const std::string& start) {
  return start == "xavier"   ? "Xavier"
         : start == "he"     ? "He"
         : start == "lecun"  ? "LeCun"
         : start == "normal" ? "N(0, 0.02²)"
         : start == "gpt2"   ? "GPT-2"
                             : "zero";
}

double loss_of(const StudyResult& result, const std::string& start, std::size_t column) {
  const auto& losses = table(result, "loss");
  for (std::size_t i = 0; i < losses.columns[0].words.size(); ++i)
    if (losses.columns[0].words[i] == name_of(start)) return losses.columns[column].values[i];
  throw InvalidArgument("no row " + start);
}

StudyResult asked(const json& c, DeviceChoice device) {
  const Study& study = find(id);
  parameter::Settings settings(study.parameters);
  for (const char* key : {"depth", "width", "tokens", "vocabulary", "seed"})
    settings.set(key, std::to_string(c.at(key).get<int>()));
  settings.set("init", c.at("start").get<std::string>());
  settings.set("placement", c.at("placement").get<std::string>());
  settings.set("tied", c.at("tied").get<bool>() ? "on" : "off");
  settings.set("gain", std::to_string(c.at("gain").get<double>()));
  study::Run run;
  run.device = device;
  return study.compute(settings, run);
}

TEST(BlockInit, AgreesWithPyTorch) {
  std::ifstream file(support::source("tests/reference/block_starts.json"));
  const json reference = json::parse(file);
  for (const json& c : reference.at("starts")) {
    const auto start = c.at("start").get<std::string>();
    SCOPED_TRACE(start + " " + c.at("placement").get<std::string>());
    const StudyResult result = asked(c, DeviceChoice::ref);
    EXPECT_NEAR(loss_of(result, start, 1), c.at("loss").get<double>(), 1e-12);
    const auto variance = column_called(result, "variance", name_of(start));
    for (std::size_t l = 0; l < variance.size(); ++l)
      EXPECT_NEAR(variance[l], c.at("variance").at(l).get<double>(), 1e-12 * (1 + variance[l])) << l;
    constexpr const char* kinds[] = {"query and key matrices", "value matrix",  "attention's output",
                                     "first matrix",           "second matrix", "gains"};
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t l = 0; l + 1 < variance.size(); ++l)
        EXPECT_NEAR(column_called(result, "arrays", kinds[a])[l], c.at("gradients").at(a).at(l).get<double>(),
                    1e-11)
            << kinds[a] << " " << l;
  }
}

// Means over 8 seeds of models 128 wide. With N(0, 0.02²) scores are next to 0, so that attention is as the closed form has it;
// what is left is chance. A network's output is a mean over 512 units and 128 features and 16 tokens, off by some √(5/512) of
// itself for all tokens together: 10 %, of the mean over 8 seeds and 8 layers √64 times less; four times that is 5 %.
class BlockInitStream : public testing::TestWithParam<const char*> {};

TEST_P(BlockInitStream, GrowsAsItsClosedFormSays) {
  const std::string placement = GetParam();
  double measured = 0, expected = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    const auto result = compute(id,
                                {{"placement", placement.c_str()},
                                 {"width", "128"},
                                 {"depth", "8"},
                                 {"seed", std::to_string(seed).c_str()}},
                                DeviceChoice::cpu);
    measured += column_called(result, "variance", "N(0, 0.02²)").back();
    expected += column_called(result, "variance", "N(0, 0.02²), expected").back();
  }
  // Where branches are normed the stream is a sum of vectors of one length, and tokens that attention has made alike share it:
  // its square is off by √(2/128) of itself, the mean of 8 seeds by √8 less; three times that is 13 %.
  const bool normed = placement == "sandwich" || placement == "output";
  EXPECT_NEAR(measured / expected, 1, normed ? 3 * std::sqrt(2.0 / 128 / 8) : 0.05);
}

INSTANTIATE_TEST_SUITE_P(Placements, BlockInitStream,
                         testing::Values("pre", "sandwich", "output", "post", "deep_norm"),
                         [](const auto& placement) { return std::string(placement.param); });

// Where the branches' part is known by hand: Pre-LN, He: D σ₁² = F σ₂² = 2, a network adds 2 · 2 / 2 = 2; Xavier with F = 4 D
// 0.4 · 1.6 / 2 = 0.32; 0.02² with D = 64: 256 · 0.0004 · 64 · 0.0004 / 2.
TEST(BlockInit, ANetworkAddsWhatIsWorkedByHand) {
  const auto result = compute(id, {});
  EXPECT_NEAR(loss_of(result, "he", 5), 2, 1e-12);
  EXPECT_NEAR(loss_of(result, "xavier", 5), 0.32, 1e-12);
  EXPECT_NEAR(loss_of(result, "normal", 5), 0.0013107200, 1e-12);
  EXPECT_NEAR(loss_of(result, "gpt2", 5), 0.0013107200 / 24, 1e-12);
  EXPECT_EQ(loss_of(result, "zero", 5), 0);
}

// Behind a norm of gain γ a network adds γ² of that; where no norm stands before it, what stands there is not asked.
TEST(BlockInit, AGainGoesInWithItsSquare) {
  for (const char* gain : {"0", "0.5", "2"}) {
    const double square = std::atof(gain) * std::atof(gain);
    EXPECT_NEAR(loss_of(compute(id, {{"gain", gain}}), "he", 5), 2 * square, 1e-12) << gain;
  }
  EXPECT_NEAR(loss_of(compute(id, {{"placement", "post"}, {"gain", "2"}}), "he", 5), 2, 1e-12);
}

// A norm behind the network makes a size of its own of what it puts out: then no place tells what the network adds.
TEST(BlockInit, WhatANetworkAddsIsToldOnlyWhereTheStreamGetsIt) {
  for (const auto& [placement, told] : {std::pair("pre", true),
                                        {"post", true},
                                        {"deep_norm", true},
                                        {"sandwich", false},
                                        {"output", false}}) {
    const auto result = compute(id, {{"placement", placement}, {"depth", "2"}});
    const auto& columns = table(result, "loss").columns;
    EXPECT_EQ(std::ranges::count(columns, "a network adds", &figure::Column::name), told ? 1 : 0)
        << placement;
    EXPECT_EQ(result.worked.find("v_F") != std::string::npos, told) << placement << ": " << result.worked;
  }
}

// Losses of a head of its own are those of independent normal logits, whatever the width. Their mean over 32 tokens and 12
// seeds: a token's loss has the deviation of its target's logit, √2 at most, and tokens share the head's rows where targets
// coincide and the stream where inputs do, say 8 independent ones to a text: √2/√96 = 0.14; four times that.
TEST(BlockInit, TheLossBeginsWhereItIsExpected) {
  constexpr const char* all[] = {"xavier", "he", "lecun", "normal", "gpt2", "zero"};
  std::map<std::string, double> off;
  for (int seed = 1; seed <= 12; ++seed) {
    const auto result = compute(
        id, {{"tokens", "32"}, {"depth", "2"}, {"seed", std::to_string(seed).c_str()}}, DeviceChoice::cpu);
    for (const char* start : all) off[start] += (loss_of(result, start, 1) - loss_of(result, start, 2)) / 12;
  }
  for (const char* start : all) EXPECT_NEAR(off[start], 0, 0.56) << start;
}

// Known without any integral: one logit's logarithm of a sum is itself; many nearly equal ones have ln n + s²/2 − (e^{s²} −
// 1)/2n to third order; a large one is itself alone.
TEST(BlockInit, ExpectedLogarithmsOfSums) {
  const double none = -std::numeric_limits<double>::infinity();
  EXPECT_NEAR(expected_log_sum(1, 0.7, none), 0, 1e-7);
  EXPECT_NEAR(expected_log_sum(2, 0, none), std::log(2), 1e-7);
  EXPECT_NEAR(expected_log_sum(8192, 0.5, none), std::log(8192) + 0.125 - (std::exp(0.25) - 1) / (2 * 8192),
              1e-7);
  EXPECT_NEAR(expected_log_sum(255, 1, 64), 64, 1e-7);
}

bool says_how_it_begins(const titles::Said& said) {
  const auto part = said.as(
      "{}: the loss begins at {}, even odds give {}, and the layers multiply the stream's mean square by {}");
  if (!part) return false;
  const std::string start = name_of(said.settings.choice("init"));
  const auto& stream = said.column("variance", start);
  return (*part)[0] == start &&
         titles::says((*part)[1], loss_of(said.result, said.settings.choice("init"), 1), 3) &&
         titles::says((*part)[2], std::log(said.settings.real("vocabulary")), 3) &&
         titles::says((*part)[3], stream.back() / stream.front(), 2);
}

const titles::Entries entries{{id, says_how_it_begins}};

}  // namespace
}  // namespace block_init_test
}  // namespace orrery::study
