// Rates over the steps, beside PyTorch's schedulers and numbers worked out by hand.
#include "core/training/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/training/numbers.h"

namespace orrery::training {
namespace {

using Kind = Schedule::Kind;

TEST(Schedule, CosineAndLineArePyTorchs) {
  const auto numbers = numbers_of_pytorch();
  for (const auto& [kind, name] : {std::pair(Kind::cosine, "cosine"), {Kind::linear, "linear"}}) {
    const auto expected = numbers[name].get<std::vector<double>>();
    const Schedule schedule{.kind = kind, .highest = 0.003, .steps = 40, .end = 0.1};
    // PyTorch's goes from each rate to the next: 40 roundings. It counts from zero, and its 41st is the end's.
    for (std::size_t s = 1; s < expected.size(); ++s)
      EXPECT_NEAR(learning_rate(schedule, double(s)), expected[s], 1e-16) << name << " " << s;
  }
}

// The original: 512 wide, 4000 steps of warm-up: 1/√2048000, and half of it at four times as many steps.
TEST(Schedule, OfTheOriginalTransformer) {
  const double highest = highest_of_width(512, 4000);
  EXPECT_NEAR(highest, 6.987712429686843e-4, 1e-18);
  const Schedule original{.kind = Kind::inverse_root, .highest = highest, .warm_up = 4000, .steps = 100000};
  const auto paper = [](double s) {
    return std::pow(512, -0.5) * std::min(std::pow(s, -0.5), s * std::pow(4000, -1.5));
  };
  for (const double s : {1.0, 100.0, 3999.0, 4000.0, 4001.0, 16000.0, 100000.0})
    EXPECT_NEAR(learning_rate(original, s), paper(s), 1e-15 * highest) << s;
  EXPECT_NEAR(learning_rate(original, 16000), highest / 2, 1e-18);
}

TEST(Schedule, EveryWayOnStartsAtTheHighestAndEndsWhereItSays) {
  for (const Kind kind : {Kind::constant, Kind::inverse_root, Kind::cosine, Kind::linear, Kind::stable}) {
    const Schedule schedule{
        .kind = kind, .highest = 2, .warm_up = 100, .steps = 1000, .end = 0.25, .decay_share = 0.2};
    EXPECT_EQ(learning_rate(schedule, 50), 1);
    EXPECT_EQ(learning_rate(schedule, 100), 2);
    for (double s = 100; s < 1100; ++s)
      EXPECT_LE(learning_rate(schedule, s + 1), learning_rate(schedule, s)) << int(kind) << " " << s;
    const double end = kind == Kind::constant ? 2 : kind == Kind::inverse_root ? 2 * std::sqrt(0.1) : 0.5;
    EXPECT_DOUBLE_EQ(learning_rate(schedule, 1000), end);
  }
  // The last fifth falls, on a line.
  const Schedule stable{
      .kind = Kind::stable, .highest = 2, .warm_up = 100, .steps = 1000, .decay_share = 0.2};
  EXPECT_EQ(learning_rate(stable, 800), 2);
  EXPECT_EQ(learning_rate(stable, 900), 1);
  EXPECT_EQ(learning_rate(stable, 1000), 0);
}

TEST(Schedule, WithoutStepsToFallInItStandsAtItsEnd) {
  for (const Kind kind : {Kind::cosine, Kind::linear})
    for (const double step : {10, 11})
      EXPECT_DOUBLE_EQ(
          learning_rate({.kind = kind, .highest = 1, .warm_up = 10, .steps = 10, .end = 0.1}, step),
          step == 10 ? 1 : 0.1);
  EXPECT_EQ(learning_rate({.kind = Kind::linear, .highest = 1, .warm_up = 20, .steps = 10}, 10), 0.5);
  EXPECT_EQ(learning_rate({.highest = 1, .steps = 10}, 0), 1);
  EXPECT_EQ(learning_rate({.highest = 1, .warm_up = 5, .steps = 10}, 0), 0);
}

}  // namespace
}  // namespace orrery::training
