// Which positions fall together and how far angles are off: published counts, and what the bits of a format say.
#include "core/position/rope_precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace orrery::position::rope_precision_test {
namespace {

using tensor::Format;
using tensor::Index;

RopeFormats exact_but(RopeStage stage, Format format) {
  return rope_formats({format, Format::f64}, stage);
}

RopeCollisions collisions(Index length, RopeStage stage, Format format) {
  return rope_collisions({0, length - 1}, rope_default_frequencies(128, 10000), 1, exact_but(stage, format));
}

struct Published {
  Format format;
  Index length, distinct;
};

class DistinctPositions : public testing::TestWithParam<Published> {};

TEST_P(DistinctPositions, AreAsManyAsPublished) {
  const auto [format, length, distinct] = GetParam();
  const RopeCollisions found = collisions(length, RopeStage::positions, format);
  EXPECT_EQ(found.distinct, distinct);
  EXPECT_EQ(found.unreachable, 0);
  Index inside = 0;  // what the runs take away is what is missing
  for (const PositionRun& run : found.runs) inside += run.count() - 1;
  EXPECT_EQ(found.distinct + inside, length);
}

INSTANTIATE_TEST_SUITE_P(
    Counts, DistinctPositions,
    testing::Values(Published{Format::bf16, 512, 385}, Published{Format::bf16, 1024, 513},
                    Published{Format::bf16, 8192, 897}, Published{Format::bf16, 32768, 1153},
                    Published{Format::bf16, 131072, 1409}, Published{Format::f16, 4096, 3073},
                    Published{Format::f16, 8192, 4097}, Published{Format::f32, 8192, 8192},
                    Published{Format::bf16, 257, 257}, Published{Format::bf16, 258, 257}));

TEST(RopeCollisions, TheFirstTwoInBf16Are256And257) {
  const RopeCollisions found = collisions(264, RopeStage::positions, Format::bf16);
  // Spacing 2, ties to even significands: 257 falls on 256, 259 and 261 on 260, 263 on 264.
  EXPECT_EQ(found.runs, (std::vector<PositionRun>{{256, 257}, {259, 261}}));
}

TEST(RopeCollisions, PositionsPastTheLargestHalfHaveNoAngle) {
  const RopeCollisions found = collisions(65600, RopeStage::positions, Format::f16);
  EXPECT_EQ(found.unreachable, 65600 - 65520);  // 65520 is the first that rounds to infinity
  EXPECT_EQ(found.runs.back().last, 65519);
}

TEST(RopeCollisions, FewBitsElsewhereLeaveEveryPositionItsRow) {
  for (const RopeStage stage : {RopeStage::frequencies, RopeStage::rotation, RopeStage::table})
    EXPECT_EQ(collisions(4096, stage, Format::bf16).distinct, 4096);
}

TEST(RopeCollisions, PairsThatStandStillTellNoPositionsApart) {
  const RopeCollisions found =
      rope_collisions({0, 99}, std::vector<double>{0, 0}, 1, exact_but(RopeStage::result, Format::f64));
  EXPECT_EQ(found.runs, (std::vector<PositionRun>{{0, 99}}));
  EXPECT_EQ(found.distinct, 1);
}

// diffusers#13922: image positions that begin at 65536 fall onto a few values.
TEST(RopeCollisions, ATextMayBeginAnywhere) {
  const RopeCollisions found = rope_collisions({65536, 65536 + 1023}, rope_default_frequencies(128, 10000), 1,
                                               exact_but(RopeStage::positions, Format::bf16));
  EXPECT_EQ(found.distinct, 3);                                      // spacing 512: 65536, 66048, 66560
  EXPECT_EQ(found.runs.front(), (PositionRun{65536, 65536 + 256}));  // a tie falls on the even 65536
}

TEST(RopeCollisions, AnEmptyTextHasNone) {
  const RopeCollisions found = collisions(0, RopeStage::positions, Format::bf16);
  EXPECT_EQ(found.distinct, 0);
  EXPECT_TRUE(found.runs.empty());
}

TEST(RopeCollisions, StopsWhenThePauseThrows) {
  const auto stop = [](Index done, const RopeCollisions& so_far) {
    EXPECT_EQ(so_far.distinct + so_far.unreachable, done);  // every row is distinct, or has no angle
    if (done > 40000) throw std::runtime_error("enough");
  };
  EXPECT_THROW(rope_collisions({0, 99999}, std::vector<double>{1.0}, 1,
                               exact_but(RopeStage::result, Format::f64), stop),
               std::runtime_error);
}

// At 131071 floats stand 2^-7 apart, so the angle alone is off by at most 2^-8; a rounded θ_i costs up to 2^-24 of
// the angle, as much again. Published: 0.004 to 0.006 rad for the frequencies at 131071, up to 0.011 in all.
TEST(RopePhase, ErrorsInFloatAreThosePublished) {
  const RopeFormats all_float = rope_formats({Format::f32, Format::f32}, RopeStage::result);
  double worst = 0, from_angle = 0, from_table = 0;
  for (const double base : {1e4, 5e5, 1e6}) {
    for (const double theta : rope_default_frequencies(128, base)) {
      const auto at_the_end = [&](const RopeFormats& formats) {
        return rope_worst_phase({130000, 131071}, theta, formats).radians;
      };
      worst = std::max(worst, at_the_end(all_float));
      from_angle = std::max(from_angle, at_the_end(exact_but(RopeStage::angle, Format::f32)));
      from_table = std::max(from_table, at_the_end(exact_but(RopeStage::frequencies, Format::f32)));
    }
  }
  EXPECT_LE(from_angle, 0x1p-8);
  EXPECT_GT(from_angle, 0.99 * 0x1p-8);  // over a thousand positions one comes near to a tie
  EXPECT_GT(from_table, 0.003);
  EXPECT_LT(from_table, 0.006);
  EXPECT_GT(worst, from_angle);
  EXPECT_LT(worst, 0.011);
}

TEST(RopePhase, FrequenciesInBf16AreOffByHundredsOfRadians) {
  for (const double base : {1e4, 5e5, 1e6}) {
    double worst = 0;
    for (const double theta : rope_default_frequencies(128, base))
      worst = std::max(
          worst, std::abs(rope_phase_error(131071, theta, exact_but(RopeStage::frequencies, Format::bf16))));
    EXPECT_GE(worst, 151) << base;
    EXPECT_LT(worst, 234.5) << base;  // published without decimals
  }
}

TEST(RopePhase, TheWorstIsFoundWhereItStands) {
  // 511 falls on 512, 509 on 508 or 512: in spacing 2 no position is off by more than 1, first at 257.
  const WorstPhase worst = rope_worst_phase({0, 511}, 1, exact_but(RopeStage::positions, Format::bf16));
  EXPECT_EQ(worst.radians, 1);
  EXPECT_EQ(worst.position, 257);
  EXPECT_EQ(rope_worst_phase({0, 511}, 0.1, exact_but(RopeStage::result, Format::f64)).radians, 0);
}

// formulas.md: ⟨R3 x, R1 x⟩ of the half layout; in bf16 the vectors themselves are rounded, by 2^-9 of 5.5 each.
TEST(RopeStagedScores, AreThePublishedOne) {
  const std::vector<double> x{1, 2, 3, 4}, theta = rope_default_frequencies(4, 10000), keys{1, 0, 1000};
  const auto exact = rope_staged_scores(x, x, 2, keys, theta, 1, exact_but(RopeStage::result, Format::f64));
  ASSERT_EQ(exact.size(), 3u);
  EXPECT_NEAR(exact[0], 15.8345317678601, 5e-14);
  EXPECT_NEAR(exact[1], 15.8345317678601, 5e-14);
  EXPECT_NEAR(exact[2], 15.8345317678601, 1e-11);  // angles of 1000 rad, rounded by 2^-44
  const auto rounded =
      rope_staged_scores(x, x, 2, keys, theta, 1, exact_but(RopeStage::result, Format::bf16));
  EXPECT_NE(rounded[0], rounded[2]);
  EXPECT_NEAR(rounded[0], exact[0], 2 * 30 * 0x1p-8);
  EXPECT_NEAR(rounded[2], exact[0], 2 * 30 * 0x1p-8);
}

// models.md: a running product of frequencies in f32 drifts by 1.4e-6 to 2.2e-6 of the frequency.
TEST(RopeRunningFrequencies, DriftAsMuchAsPublished) {
  double worst = 0;
  for (const auto& [width, base] : {std::pair<Index, double>{128, 5e5}, {128, 1e6}, {128, 1e4}}) {
    const auto exact = rope_default_frequencies(width, base);
    const auto running = rope_running_frequencies(width, base, Format::f32);
    EXPECT_EQ(running[0], 1);
    for (std::size_t i = 0; i < exact.size(); ++i)
      worst = std::max(worst, std::abs(running[i] / exact[i] - 1));
    // 63 products and a rounded factor: at most 2^-24 for each of them.
    EXPECT_LE(worst, 126.1 * 0x1p-24);
  }
  EXPECT_GT(worst, 1.3e-6);
  EXPECT_LT(worst, 2.3e-6);
  EXPECT_EQ(rope_running_frequencies(0, 1e4, Format::f32).size(), 0u);
  EXPECT_EQ(rope_running_frequencies(2, 1e4, Format::f32), std::vector<double>{1});
}

}  // namespace
}  // namespace orrery::position::rope_precision_test
