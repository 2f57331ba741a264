// Checks of studies where they once failed within their declared ranges: long texts, small bases, vectors of nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "core/gpu/device.h"
#include "tests/app/study/ask.h"

namespace orrery::study::settings_at_their_ends_test {
namespace {

void expect_all(const StudyResult& result) {
  for (const Check& check : result.checks)
    EXPECT_TRUE(check.holds()) << check.statement << ": " << check.value << " of " << check.bound;
}

TEST(SettingsAtTheirEnds, AVectorOfNothingTurnsOnEveryDevice) {
  expect_all(compute("rope/rotation", {{"vector", "0,0"}}, DeviceChoice::cpu));
  expect_all(compute("rope/rotation", {{"vector", "0,0"}}, DeviceChoice::ref));
}

TEST(SettingsAtTheirEnds, AVectorOfNothingTurnsOnTheGpuGlTest) {
  try {
    gpu::Device::of_this_thread();
  } catch (const Failure& none) {
    GTEST_SKIP() << none.what();
  }
  expect_all(compute("rope/rotation", {{"vector", "0,0"}}, DeviceChoice::gpu));
}

TEST(SettingsAtTheirEnds, ScoresOfLongTextsDependOnTheDistance) {
  for (const char* const length : {"24", "128", "470", "512"})
    for (const char* const width : {"2", "6", "16"})
      expect_all(compute("attention/scores",
                         {{"content", "random"}, {"length", length}, {"head_width", width}, {"base", "2"}}));
}

TEST(SettingsAtTheirEnds, CirclesOfWideHeadsAndSmallBases) {
  for (const auto& [width, base, trained] : {std::tuple{"512", "10", "16"},
                                             {"512", "10", "50"},
                                             {"344", "460.84", "16"},
                                             {"128", "10000", "4096"}})
    expect_all(compute("extrapolation/coverage",
                       {{"head_width", width}, {"base", base}, {"trained_length", trained}}));
}

// Scores of unit vectors lie within 2 of each other: a check with a wider bound would be none.
TEST(SettingsAtTheirEnds, NoCheckOfRelativeScoresIsWiderThanTheyAre) {
  for (const char* const stage : {"positions", "angle", "frequencies", "result"}) {
    const StudyResult result = compute("rope/relative", {{"stage", stage}, {"longest", "4096"}});
    EXPECT_FALSE(result.checks.empty());
    for (const Check& check : result.checks) EXPECT_LT(check.bound, 2) << stage << ": " << check.statement;
  }
}

TEST(SettingsAtTheirEnds, AlibisReachIsAmongTheKeysThatThereAre) {
  const StudyResult result = compute("position/alibi", {{"heads", "8"}, {"length", "300"}});
  const figure::Table& slopes = table(result, "slopes");
  const auto column = [&](std::string_view name) -> const std::vector<double>& {
    return std::ranges::find(slopes.columns, name, &figure::Column::name)->values;
  };
  // Slope 1/2: 1 − e^{−(k+1)/2} is 0.9889 at k = 8, 0.9933 at 9. Slope 1/256: of 300 keys, the farthest 1 %.
  EXPECT_EQ(column("99 % within").front(), 9);
  EXPECT_LT(column("99 % within").back(), 300);
  double sum = 0, entropy = 0;
  for (int k = 0; k < 300; ++k) sum += std::exp(-k / 256.0);
  for (int k = 0; k < 300; ++k) entropy -= std::exp(-k / 256.0) / sum * std::log(std::exp(-k / 256.0) / sum);
  EXPECT_NEAR(column("entropy").back(), entropy, 1e-12);
}

}  // namespace
}  // namespace orrery::study::settings_at_their_ends_test
