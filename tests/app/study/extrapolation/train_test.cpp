// What small models did while they learned, as it is kept.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/extrapolation/growth_results.h"
#include "core/tensor/error.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

using training::Growth;
using training::Task;

TEST(ExtrapolationTrain, WhatIsKeptIsReadAsItWas) {
  const GrowthResults shipped = shipped_growth();
  EXPECT_EQ(text_of(growth_results(text_of(shipped))), text_of(shipped));
  for (const Growth& model : shipped.models) {
    EXPECT_EQ(model.looks.size(), 12u) << model.key;
    EXPECT_EQ(model.looks.front().step, 0) << model.key;
  }
}

TEST(ExtrapolationTrain, WhatIsNoResultIsRefused) {
  const std::string good = text_of(shipped_growth());
  const std::size_t second = good.find("; look", good.find("; look") + 1);
  for (const std::string& bad :
       {std::string("x"), std::string("a; 2000 steps; copy rope 1 0 0 0 0"), good + "; look 1",
        good + "; copy rope 1 0 0", good.substr(0, second) + good.substr(second, 20),
        good.substr(good.find(';') + 1)})
    EXPECT_THROW(growth_results(bad), InvalidArgument) << bad.substr(0, 60);
}

// A model that knows nothing has 64 tokens to choose from: about ln 64 and a bit, for its logits are not all the same.
TEST(ExtrapolationTrain, BeginsWithNothingKnown) {
  for (const Growth& model : shipped_growth().models) {
    if (model.task != Task::copy) continue;
    for (const double loss : model.looks.front().loss)
      EXPECT_NEAR(loss, std::log(64) + 0.5, 0.6) << model.key;
    for (const double share : model.looks.front().accuracy) EXPECT_LT(share, 0.06) << model.key;
  }
}

// BOS a_1 … a_16 SEP a_1 …: SEP, at 17, is to say a_1, which stands at 1.
TEST(ExtrapolationTrain, WhatIsLookedForIsTheTokenToBeSaid) {
  const std::vector<training::Index> text = training::mapped_text(Task::copy);
  ASSERT_EQ(text.size(), 33u);
  for (training::Index query = 17; query < 33; ++query)
    for (training::Index key = 0; key <= query; ++key)
      EXPECT_EQ(training::is_looked_for(Task::copy, text, 0, query, key), key == query - 16);
  for (training::Index query = 18; query < 33; ++query)  // what follows is said: the next token of the text
    EXPECT_EQ(text[std::size_t(query)], text[std::size_t(query - 17)]);
  EXPECT_FALSE(training::is_looked_for(Task::copy, text, 0, 16, 0));
  const std::vector<training::Index> chain{3, 1, 3, 2, 3};
  std::vector<training::Index> keys;
  for (training::Index key = 0; key <= 4; ++key)
    if (training::is_looked_for(Task::markov, chain, 0, 4, key)) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<training::Index>{1, 3}));  // what came behind the threes before
}

// A training of one step has two moments.
TEST(ExtrapolationTrain, OneStepIsSaidAsOne) {
  const GrowthResults shipped = shipped_growth();
  GrowthResults brief{"a machine", 1, {}};
  for (const Task task : {Task::copy, Task::markov}) {
    Growth& model = brief.models.emplace_back(*std::ranges::find_if(
        shipped.models, [&](const Growth& each) { return each.task == task && each.key == "rope"; }));
    model.looks.resize(2);
    model.looks[1].step = 1;
  }
  const std::string line = text_of(brief);
  const auto title = [&](const char* task, const char* moment) {
    return compute("extrapolation/train", {{"task", task}, {"moment", moment}, {"results", line.c_str()}})
        .figure.title;
  };
  for (const char* task : {"copy", "chains"}) {
    EXPECT_TRUE(title(task, "0").starts_with("RoPE after 0 steps on ")) << title(task, "0");
    EXPECT_TRUE(title(task, "1").starts_with("RoPE after 1 step on ")) << title(task, "1");
    EXPECT_EQ(title(task, "11"), title(task, "1"));  // there is none later
  }
}

// Every scheme says a word again with a finding head; only RoPE's has one that looks one back for the most part.
TEST(ExtrapolationTrain, OneBackIsLookedAtForTheMostPartByRopeAlone) {
  for (const Growth& model : shipped_growth().models) {
    const auto& [finding, back] = model.looks.back().share;
    EXPECT_GT(finding, 0.7) << model.key;
    EXPECT_EQ(back > 0.5, model.key == "rope") << model.key << " " << back;
  }
}

namespace train_title {

bool says_shares(const titles::Said& said) {
  const figure::Table& steps = said.table("by_step");
  const auto column = [&](const char* name) {
    return std::ranges::find(steps.columns, name, &figure::Column::name)->values;
  };
  const bool copy = said.settings.choice("task") == "copy", loss = said.settings.choice("measure") == "loss";
  const auto part = said.as(
      copy
          ? "{} after {} steps on words of up to 30 tokens copies {} of 30 tokens, {} of 60"
          : "{} after {} steps on chains of 64 lies {} nat above the floor near their end, {} before place 128");
  if (!part) return false;
  const auto row = std::size_t(said.settings.integer("moment"));
  if (titles::number_of((*part)[1]) != steps.columns[0].values[row]) return false;
  if (loss == copy) return true;  // the table has the other measure
  const double trained = column("trained length")[row], twice = column("twice as long")[row];
  if (copy) {
    const auto percent = [](double x) { return std::to_string(std::lround(100 * x)) + " %"; };
    return (*part)[2] == percent(trained) && (*part)[3] == percent(twice);
  }
  return std::abs(titles::number_of((*part)[2]) - trained) <= 0.00501 &&
         std::abs(titles::number_of((*part)[3]) - twice) <= 0.00501;
}

/// The heads are those that are kept.
bool names_heads(const titles::Said& said) {
  const bool copy = said.settings.choice("task") == "copy";
  const GrowthResults shipped = shipped_growth();
  const Growth& model = *std::ranges::find_if(shipped.models, [&](const Growth& one) {
    return one.task == (copy ? Task::copy : Task::markov) &&
           one.key == (copy ? said.settings.choice("scheme") : std::string("rope"));
  });
  for (const auto& [pattern, which] : {std::pair{"Finds the next: layer {}, head {}", 0},
                                       std::pair{"Looks one back most: layer {}, head {}", 1}})
    if (const auto part = said.as(pattern)) {
      const training::HeadPlace place = model.heads[std::size_t(which)];
      return titles::number_of((*part)[0]) == double(place.layer + 1) &&
             titles::number_of((*part)[1]) == double(place.head + 1);
    }
  return false;
}

const titles::Entries entries{{"extrapolation/train", says_shares, names_heads}};

}  // namespace train_title

}  // namespace
}  // namespace orrery::study
