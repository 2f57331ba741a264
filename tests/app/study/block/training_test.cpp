// Trainings of four small models, as they are kept, and what their titles say.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/kept_results.h"
#include "app/study/training/courses.h"
#include "core/tensor/error.h"
#include "core/training/placement_trial.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

const std::vector<std::string_view> keys{"post_warm", "post", "pre_warm", "pre"};

TEST(Courses, StretchesHoldEveryStepOnce) {
  for (const std::int64_t steps : {1, 2, 11, 12, 24, 25, 400, 10000}) {
    const auto edges = stretches(steps);
    EXPECT_EQ(edges.front(), 1);
    EXPECT_EQ(edges.back(), steps + 1);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) EXPECT_LT(edges[i], edges[i + 1]);
  }
  EXPECT_EQ(stretches(4), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
}

TEST(Courses, WhatIsKeptIsReadAsItWas) {
  const Courses shipped = courses_in(trained_line("placement.txt"), keys, 3, 0);
  EXPECT_EQ(text_of(courses_in(text_of(shipped), keys, 3, 0)), text_of(shipped));
}

TEST(Courses, MeansOfStretches) {
  training::Trained trained;
  for (int i = 1; i <= 30; ++i) trained.losses.push_back(i), trained.moved.push_back(2 * i);
  const TrainedCourse course = course_of("a", 1, trained);
  EXPECT_EQ(course.loss[0], 1);
  EXPECT_EQ(course.loss[22], 23);    // steps one by one up to 23
  EXPECT_EQ(course.loss[23], 24.5);  // then two by two
  EXPECT_EQ(course.moved[23], 49);
}

TEST(Courses, WhatIsNoResultIsRefused) {
  const std::string good = text_of(courses_in(trained_line("placement.txt"), keys, 3, 0));
  for (const std::string& bad : {std::string("x"), good + " 1", good.substr(0, good.rfind(';')),
                                 good.substr(good.find(';') + 1), good + "; other 1 2"})
    EXPECT_THROW(courses_in(bad, keys, 3, 0), InvalidArgument) << bad.substr(0, 60);
}

// The same matrices and batches: two placements begin with the same embedding and the same head.
TEST(PlacementTrial, PlacementsShareTheirFirstMatrices) {
  using training::placement_kinds;
  const auto first = [](std::size_t kind) {
    const training::Plan plan = training::placement_plan({.layers = 2}, placement_kinds()[kind]);
    return std::pair(transformer::Transformer<float>(plan.settings.model), plan);
  };
  const auto [post, post_plan] = first(0);
  const auto [pre, pre_plan] = first(2);
  const auto a = transformer::initial_values(post, post_plan.settings.start, 1);
  const auto b = transformer::initial_values(pre, pre_plan.settings.start, 1);
  std::size_t shared = 0;
  for (const transformer::NamedSlot& array : post.layout().arrays()) {
    const auto* other = pre.layout().find(array.name);
    if (other == nullptr) continue;
    EXPECT_TRUE(std::ranges::equal(array.slot.numbers(std::span(a)), other->slot.numbers(std::span(b))))
        << array.name;
    ++shared;
  }
  EXPECT_GT(shared, 12u);
}

namespace block_training_title {

bool says_least_and_largest(const titles::Said& said) {
  const auto part = said.as("After {} steps the loss is least with {}, {} nat, and largest with {}, {}");
  if (!part) return false;
  const figure::Table& losses = said.table("loss");
  const auto last = [&](const std::string& name) {
    return std::ranges::find(losses.columns, name, &figure::Column::name)->values.back();
  };
  for (std::size_t c = 1; c < losses.columns.size(); ++c) {
    const double x = losses.columns[c].values.back();
    if (x < last((*part)[1]) || x > last((*part)[3])) return false;
  }
  return std::abs(titles::number_of((*part)[2]) - last((*part)[1])) <= 0.00501 &&
         std::abs(titles::number_of((*part)[4]) - last((*part)[3])) <= 0.00501;
}

const titles::Entries entries{{"block/training", says_least_and_largest}};

}  // namespace block_training_title

}  // namespace
}  // namespace orrery::study
