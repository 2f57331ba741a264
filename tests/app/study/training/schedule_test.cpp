// Learning rates and Adam's first steps, against numbers worked out by hand; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/training/followed_updates.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

double told(const StudyResult& of, std::string_view what) {
  const figure::Table& t = table(of, "told");
  const auto row = std::ranges::find(t.columns[0].words, what);
  return t.columns[1].values.at(static_cast<std::size_t>(row - t.columns[0].words.begin()));
}

// Five steps of warm-up to 0.5, then down to nothing at ten: 0.1 0.2 0.3 0.4 0.5 0.4 0.3 0.2 0.1 0.
TEST(TrainingSchedule, ALineUpAndALineDown) {
  const auto result = compute("training/schedule", {{"schedule", "linear"},
                                                    {"warm_up", "5"},
                                                    {"steps", "10"},
                                                    {"highest", "0.5"},
                                                    {"end", "0"},
                                                    {"decay", "0.1"}});
  const auto& rates = table(result, "rates").columns[3].values;
  ASSERT_EQ(rates.size(), 10u);
  for (int s = 1; s <= 10; ++s)
    EXPECT_NEAR(rates[std::size_t(s - 1)], s <= 5 ? 0.1 * s : 0.1 * (10 - s), 1e-16) << s;
  EXPECT_NEAR(told(result, "mean rate"), 0.25, 1e-16);
  double left = 1;
  for (int s = 1; s <= 10; ++s) left *= 1 - 0.1 * (s <= 5 ? 0.1 * s : 0.1 * (10 - s));
  EXPECT_NEAR(told(result, "left by the decay"), left, 1e-15);
}

// The formula's numbers are what goes in, and not what comes out: 0.5, and on the line down (1 − 0.1) of so many of so many
// steps.
TEST(TrainingSchedule, WorkedNumbersAreThoseOfTheFormula) {
  const auto worked = [](Changes changes) { return compute("training/schedule", changes).worked; };
  const std::string constant = worked({{"schedule", "constant"}, {"highest", "0.5"}});
  EXPECT_EQ(constant.find("frac"), constant.npos) << constant;
  const std::string stable = worked({{"schedule", "stable"},
                                     {"decay_share", "1"},
                                     {"end", "0.1"},
                                     {"highest", "0.5"},
                                     {"steps", "1000"},
                                     {"warm_up", "100"}});
  for (const char* part : {"0.1", "1000", "100"})
    EXPECT_NE(stable.find(part), stable.npos) << part << ": " << stable;
}

// Every step agrees on the gradient: each direction is 1. Alternating signs cannot be had, but pure noise is shorter by far.
TEST(TrainingSchedule, DirectionsOfAgreementAndOfNoise) {
  const Followed agreed = follow({.steps = 50, .mean = 1e9});
  for (const double rms : agreed.root_mean_square) EXPECT_NEAR(rms, 1, 1e-7);
  // Behind many steps m̂ is a mean of weights 0.1·0.9^k, whose squares add up to 0.1/1.9, and v̂ is 1 but for 4 %.
  const Followed noise = follow({.steps = 2500});
  double mean = 0;
  for (std::size_t t = 1500; t < 2500; ++t) mean += noise.root_mean_square[t] / 1000;
  EXPECT_NEAR(mean, std::sqrt(0.1 / 1.9), 0.01);
  EXPECT_NEAR(noise.root_mean_square.front(), 1, 1e-6);
}

TEST(TrainingSchedule, ASpikeIsClippedToTheUsualLength) {
  const Followed plain = follow({.steps = 101}), spike = follow({.steps = 101, .spike = 1000.0}),
                 clipped = follow({.steps = 101, .spike = 1000.0, .clip = 1.0});
  EXPECT_EQ(spike.spike, 51);
  EXPECT_EQ(plain.root_mean_square[49], spike.root_mean_square[49]);
  EXPECT_LT(spike.root_mean_square.back(), 0.2 * plain.root_mean_square.back());
  EXPECT_NEAR(clipped.root_mean_square.back(), plain.root_mean_square.back(),
              0.1 * plain.root_mean_square.back());
}

// Of a gradient S times too long v̂ keeps (1 − β₂) S² β₂^k, which is as much as all else, 1, behind ln(S² (1 − β₂))/(1 − β₂)
// steps: 460 here, where 1/(1 − β₂) is 100. Gradients of the spike are normal, so that some are forgotten earlier, some later.
TEST(TrainingSchedule, ASpikeIsForgottenBehindTheLogarithmOfItsSquare) {
  FollowedAsked asked{.steps = 4000};
  asked.adam.beta2 = 0.99;
  const Followed plain = follow(asked);
  asked.spike = 100.0;
  const Followed spike = follow(asked);
  const auto behind = [&](int steps) {
    double there = 0, without = 0;
    for (int t = steps - 10; t < steps + 10; ++t) {
      const auto step = static_cast<std::size_t>(spike.spike - 1 + t);
      there += spike.root_mean_square.at(step), without += plain.root_mean_square.at(step);
    }
    return there / without;
  };
  EXPECT_LT(behind(100), 0.5) << "one time constant is not enough";
  EXPECT_GT(behind(460), 0.7);
  EXPECT_LT(behind(460), 0.9);
  EXPECT_GT(behind(920), 0.95);
}

TEST(TrainingSchedule, NoDirectionComesAfterTheLastStep) {
  const auto result =
      compute("training/schedule", {{"steps", "100"}, {"warm_up", "10"}, {"followed", "1000"}});
  EXPECT_EQ(table(result, "directions").columns[0].values.size(), 100u);
}

// A direction that is not corrected may be 30 long: a rounding of it is no fault.
TEST(TrainingSchedule, AFirstDirectionIsAskedForInItsOwnLength) {
  const auto expect_held = [](Changes changes) {
    for (const Check& check : compute("training/schedule", changes).checks)
      EXPECT_TRUE(check.holds()) << check.statement << " " << check.value;
  };
  expect_held({{"beta2", "0.99999"}, {"bias_correction", "off"}});
  expect_held(
      {{"beta1", "0"}, {"eps", "1"}, {"bias_correction", "off"}, {"gradient", "699858"}, {"mean", "10"}});
}

TEST(TrainingSchedule, ChecksHoldAtCorners) {
  for (const char* kind : {"cosine", "inverse_root", "linear", "stable", "constant"})
    for (const char* first : {"one", "zero"})
      for (const auto& [warm_up, steps] : {std::pair("0", "2"),
                                           {"1", "2"},
                                           {"2", "2"},
                                           {"3", "2"},
                                           {"7", "7"},
                                           {"0", "50"},
                                           {"49", "50"},
                                           {"100000", "50"}}) {
        const auto result = compute("training/schedule", {{"schedule", kind},
                                                          {"first_step", first},
                                                          {"warm_up", warm_up},
                                                          {"steps", steps},
                                                          {"followed", "4"},
                                                          {"decay_share", "0.3"}});
        for (const Check& check : result.checks)
          EXPECT_TRUE(check.holds()) << kind << " from " << first << ", " << warm_up << " of " << steps
                                     << ": " << check.statement << " " << check.value;
      }
}

namespace training_schedule_title {

bool says_highest_and_last(const titles::Said& said) {
  if (said.settings.choice("show") == "decay") {
    const auto part = said.as("What the decay alone leaves of a weight: {} of it at the last step");
    return part && titles::says((*part)[0], said.column("left", "left").back(), 3);
  }
  const auto part = said.as("The rate is highest at step {}, {}, and {} at the last");
  const auto& value = said.column("told", "value");
  return part && titles::says((*part)[0], value[1]) && titles::says((*part)[1], value[0], 3) &&
         titles::says((*part)[2], value[3], 3);
}

const titles::Entries entries{{"training/schedule", says_highest_and_last}};

}  // namespace training_schedule_title

}  // namespace
}  // namespace orrery::study
