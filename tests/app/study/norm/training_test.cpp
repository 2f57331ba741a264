// LayerNorm and RMSNorm in one small model, as it is kept, and what the title says.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/kept_results.h"
#include "app/study/training/courses.h"
#include "core/training/norm_trial.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

TEST(NormTraining, WhatIsKeptIsReadAsItWas) {
  const Courses shipped = courses_in(trained_line("norm.txt"), {"layer", "rms"}, 1, 9);
  EXPECT_EQ(text_of(courses_in(text_of(shipped), {"layer", "rms"}, 1, 9)), text_of(shipped));
}

// Five norms of 64: gains, and LayerNorm's biases besides; all other arrays are the same, and begin the same.
TEST(NormTraining, TheModelsDifferInTheirNormsAlone) {
  std::vector<transformer::Transformer<float>> models;
  std::vector<std::vector<float>> values;
  for (const transformer::NormKind kind : training::norm_trial_kinds) {
    const training::Plan plan = training::norm_plan(kind, 10, 1);
    models.emplace_back(plan.settings.model);
    values.push_back(transformer::initial_values(models.back(), plan.settings.start, 1));
  }
  EXPECT_EQ(models[0].layout().size() - models[1].layout().size(), 5 * 64);
  for (const transformer::NamedSlot& array : models[1].layout().arrays()) {
    const auto* other = models[0].layout().find(array.name);
    ASSERT_NE(other, nullptr) << array.name;
    EXPECT_TRUE(std::ranges::equal(array.slot.numbers(std::span(values[1])),
                                   other->slot.numbers(std::span(values[0]))))
        << array.name;
  }
}

TEST(NormTraining, StepsAreTimedInTurns) {
  int calls = 0;
  const auto times = training::norm_step_times(2, [&](double) { ++calls; });
  EXPECT_EQ(calls, 3);  // the first one is not counted
  for (const auto& each : times) {
    ASSERT_EQ(each.size(), 2u);
    for (const double ms : each) EXPECT_GT(ms, 0);
  }
}

namespace norm_training_title {

bool says_losses_and_ratio(const titles::Said& said) {
  const auto part = said.as(
      "After {} steps the loss is {} nat with LayerNorm, {} with RMSNorm; a step with LayerNorm takes {} times as long, half of all between {} and {}");
  if (!part) return false;
  const std::vector<double>&low = said.column("times", "a quarter below"),
        &high = said.column("times", "three quarters below");
  const auto last = [&](const char* name) { return said.column("loss", name).back(); };
  return std::abs(titles::number_of((*part)[1]) - last("LayerNorm")) <= 0.00501 &&
         std::abs(titles::number_of((*part)[2]) - last("RMSNorm")) <= 0.00501 &&
         titles::says((*part)[3], said.column("times", "half below").at(2), 3) &&
         titles::says((*part)[4], low.at(2), 3) && titles::says((*part)[5], high.at(2), 3);
}

const titles::Entries entries{{"norm/training", says_losses_and_ratio}};

}  // namespace norm_training_title

}  // namespace
}  // namespace orrery::study
