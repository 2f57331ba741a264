// What rules made of small models with RoPE: as it is kept, and beside the same made with PyTorch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "app/figure/theme.h"
#include "app/study/extrapolation/rescue_results.h"
#include "core/tensor/error.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

using training::RescueResult;
using training::Task;

TEST(Rescue, WhatIsKeptIsReadAsItWas) {
  const RescueResults shipped = shipped_rescue();
  EXPECT_EQ(shipped.steps, 2000);
  EXPECT_EQ(text_of(rescue_results(text_of(shipped))), text_of(shipped));
  for (const Task task : {Task::copy, Task::markov})
    EXPECT_EQ(shipped.of(task).size() % training::treatments().size(), 0u);
  EXPECT_FALSE(shipped.words.empty());
  EXPECT_FALSE(shipped.chains.empty());
}

/// What the study says of its model: pairs that come round in what was trained, and the factor of twice the words or chains.
TEST(Rescue, ItsModelIsTheOneThatIsDescribed) {
  struct Fact {
    const char* task;
    int come_round;
    const char* factor;
  };
  for (const Fact& fact : {Fact{"copy", 2, "\\frac{122}{62}"}, Fact{"chains", 3, "\\frac{128}{64}"}}) {
    const auto result = compute("extrapolation/rescue", {{"task", fact.task}, {"times", "2"}});
    const std::vector<double> turns = column_called(result, "pairs", "turns within L");
    EXPECT_EQ(turns.size(), 8u);
    EXPECT_EQ(std::ranges::count_if(turns, [](double t) { return t >= 1; }), fact.come_round) << fact.task;
    EXPECT_NE(result.worked.find(fact.factor), std::string::npos) << result.worked;
  }
}

// No curve leaves its panel, and on no ground does another one have the chosen one's colour.
TEST(Rescue, EveryTreatmentIsSeen) {
  for (const char* task : {"copy", "chains"})
    for (const training::Treatment& treatment : training::treatments()) {
      const std::string key(treatment.key);
      const auto result = compute("extrapolation/rescue", {{"task", task}, {"treatment", key.c_str()}});
      const figure::Panel& panel = result.figure.panels.front();
      std::set<std::tuple<int, int, int, double>> looks;
      int lines = 0;
      for (const figure::Mark& mark : panel.marks)
        if (const auto* line = std::get_if<figure::Line>(&mark)) {
          ++lines;
          const figure::Color c = figure::dark_theme().color(line->ink);
          looks.emplace(c.r, c.g, c.b + 1000 * int(line->dash), line->ink.alpha);
          for (const double y : line->y)
            EXPECT_TRUE(y >= panel.y.range->lo && y <= panel.y.range->hi) << key << y;
        }
      EXPECT_EQ(std::ssize(looks), lines) << task << " " << key;
    }
}

TEST(Rescue, WhatIsNoResultIsRefused) {
  const std::string good = text_of(shipped_rescue());
  EXPECT_NO_THROW(rescue_results(good));
  std::string other = good;
  other.replace(other.find("copy none"), 9, "copy nine");
  for (const std::string& bad :
       {std::string("x"), std::string("a; 2000 steps; floor 1"), good + "; copy none 1 0.5", other,
        good.substr(0, good.find("; copy pi")), good.substr(good.find(';') + 1), good + " 1"})
    EXPECT_THROW(rescue_results(bad), InvalidArgument) << bad.substr(0, 60);
}

double mean(const std::vector<RescueResult>& results, std::string_view key, auto value) {
  double sum = 0, count = 0;
  for (const RescueResult& result : results)
    if (result.key == key) sum += value(result), ++count;
  return sum / count;
}

// Made with PyTorch 1.13 and the same settings, words of 60 and of 120 tokens.
TEST(Rescue, WordsAreThoseOfOtherTrainings) {
  const RescueResults shipped = shipped_rescue();
  constexpr std::size_t at_60 = 4, at_120 = 6;
  const auto copied = [&](std::string_view key, std::size_t at) {
    return mean(shipped.words, key, [&](const RescueResult& r) { return r.at_once[at]; });
  };
  struct Found {
    const char* key;
    double at_60, at_120;
  };
  for (const auto& [key, n_60, n_120] : {Found{"none", 0.10, 0.02},
                                         {"pi", 0.345, 0.11},
                                         {"yarn", 0.96, 0.8135},
                                         {"yarn_paper_4", 0.977, 0.8335}}) {
    EXPECT_NEAR(copied(key, at_60), n_60, 0.1) << key;
    EXPECT_NEAR(copied(key, at_120), n_120, 0.1) << key;
  }
  EXPECT_NEAR(copied("by_parts", at_60), 0.97, 0.1);
  // After 0, 50 and 150 steps at twice the length.
  const auto tuned = [&](std::string_view key, std::size_t steps) {
    return mean(shipped.words, key, [&](const RescueResult& r) { return r.tuned[steps][1]; });
  };
  const struct {
    const char* key;
    double after[3];
  } published[] = {{"none", {0.12, 0.55, 0.84}},
                   {"pi", {0.33, 0.76, 0.93}},
                   {"ntk", {0.37, 0.77, 0.93}},
                   {"yarn", {0.96, 0.98, 0.98}}};
  for (const auto& p : published)
    for (std::size_t steps = 0; steps < 3; ++steps)
      EXPECT_NEAR(tuned(p.key, steps), p.after[steps], 0.1) << p.key << " " << steps;
}

// Losses of the same, at the end of chains of 128, 256 and 512.
TEST(Rescue, ChainsAreThoseOfOtherTrainings) {
  const RescueResults shipped = shipped_rescue();
  const double floor[] = {shipped.floor[training::part_from(112)], shipped.floor[training::part_from(224)],
                          shipped.floor[training::part_from(448)]};
  // Of the end of chains of 256 and 512 the floor is known from there too.
  EXPECT_NEAR(floor[1], 1.312, 0.02);
  EXPECT_NEAR(floor[2], 1.280, 0.02);
  const auto loss = [&](std::string_view key, std::size_t at) {
    return floor[at] + mean(shipped.chains, key, [&](const RescueResult& r) { return r.at_once[at]; });
  };
  // At 512 both are equally bad.
  for (std::size_t at = 0; at < 2; ++at) EXPECT_GT(loss("pi", at), loss("none", at)) << at;
  const double yarn[] = {1.401, 1.366, 1.352};
  for (std::size_t at = 0; at < 3; ++at) EXPECT_NEAR(loss("yarn", at), yarn[at], 0.05) << at;
}

namespace rescue_title {

/// The mean over the seeds, of a treatment and so many tokens; the best first.
struct Best {
  std::string name;
  double value;
};

double at_once(const figure::Table& runs, std::string_view name, double tokens) {
  double sum = 0, count = 0;
  for (std::size_t row = 0; row < runs.columns[0].words.size(); ++row)
    if (runs.columns[0].words[row] == name && runs.columns[2].values[row] == tokens)
      sum += runs.columns[3].values[row], ++count;
  return sum / count;
}

bool says_best(const titles::Said& said) {
  const figure::Table& runs = said.table("runs");
  const bool copy = said.settings.choice("task") == "copy";
  const auto part =
      said.as(copy ? "Words of {} tokens after words of up to 30: RoPE as it is copies {}, at best {}, by {}"
                   : "At the end of chains of {} after chains of 64: RoPE as it is loses {} nat to the best "
                     "that can be known, {} the least, {}");
  if (!part) return false;
  const double tokens = titles::number_of((*part)[0]);
  const std::string expected =
      said.settings.choice("times") == "2" ? (copy ? "60" : "128") : (copy ? "120" : "256");
  if ((*part)[0] != expected) return false;
  const double plain = at_once(runs, "no rule", tokens), told = at_once(runs, (*part)[copy ? 3 : 2], tokens);
  for (const std::string& name : runs.columns[0].words) {
    const double other = at_once(runs, name, tokens);
    if (copy ? other > told : other < told) return false;
  }
  if (copy) {
    const auto percent = [](double x) { return std::to_string(std::lround(100 * x)) + " %"; };
    return (*part)[1] == percent(plain) && (*part)[2] == percent(told);
  }
  const figure::Table& curve = said.table("at_once");
  // The floor at the end of chains of so many: of the part that ends there.
  const std::vector<double>& floor =
      std::ranges::find(curve.columns, "best that can be known", &figure::Column::name)->values;
  const double best = floor[training::parts_within(static_cast<training::Index>(tokens)) - 1];
  return std::abs(titles::number_of((*part)[1]) - (plain - best)) <= 0.00501 &&
         std::abs(titles::number_of((*part)[3]) - (told - best)) <= 0.00501;
}

const titles::Entries entries{{"extrapolation/rescue", says_best}};

}  // namespace rescue_title

}  // namespace
}  // namespace orrery::study
