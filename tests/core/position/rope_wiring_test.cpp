// The conventions against the ops that know two of them, against published vectors, and against their own verdicts.
#include "core/position/rope_wiring.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "core/position/rope.h"
#include "core/position/rope_frequencies.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::position::rope_wiring_test {
namespace {

using tensor::Index;
using tensor::Matrix;

constexpr std::array all{RopeConvention::interleaved,   RopeConvention::half,
                         RopeConvention::half_permuted, RopeConvention::partial,
                         RopeConvention::proportional,  RopeConvention::mixed_table,
                         RopeConvention::mixed_sides};

std::span<const double> row(const Matrix<double>& m) {
  return {m.data(), static_cast<std::size_t>(m.cols())};
}

/// Against the op's own reference. 1e-15: the same two products and a sum of numbers below 3.
TEST(RopeWiring, TurnsAsTheReferenceDoes) {
  const Matrix<double> x = tensor::Random(3).normals(1, 16);
  const RopeTable table = rope_table(std::array{37.0}, rope_default_frequencies(16, 10000));
  for (const auto& [convention, layout] : {std::pair{RopeConvention::interleaved, RopeLayout::interleaved},
                                           {RopeConvention::half, RopeLayout::half}}) {
    Matrix<double> y(1, 16);
    rope_ref(x, table, layout, y);
    const auto turned = rope_turned(row(x), 37, rope_wiring(convention, {.width = 16}).query);
    for (Index j = 0; j < 16; ++j) EXPECT_NEAR(turned[j], y(0, j), 1e-15) << j;
  }
}

/// formulas.md, the check vector; its digits are 15.
TEST(RopeWiring, GivesThePublishedVectorAndScores) {
  const std::array<double, 4> x{1, 2, 3, 4};
  const auto half = rope_wiring(RopeConvention::half, {.width = 4});
  const auto y = rope_turned(x, 3, half.query);
  EXPECT_NEAR(y[0], -1.41335252078005, 5e-15);
  EXPECT_NEAR(y[1], 1.87911806668799, 5e-15);
  EXPECT_NEAR(y[2], -2.82885748174147, 5e-15);
  EXPECT_NEAR(y[3], 4.05819113540094, 5e-15);
  EXPECT_NEAR(rope_wired_score(half, x, x, 3, 1), 15.8345317678601, 5e-14);
  const auto neighbours = rope_wiring(RopeConvention::interleaved, {.width = 4});
  EXPECT_NEAR(rope_wired_score(neighbours, x, x, 3, 1), 22.9142659839287, 5e-14);
  const auto permuted = rope_wiring(RopeConvention::half_permuted, {.width = 4});
  EXPECT_NEAR(rope_wired_score(permuted, x, x, 3, 1), 22.9142659839287, 5e-14);
}

TEST(RopeWiring, PartialTurnsTheFirstColumnsWithFrequenciesOfItsOwn) {
  const auto wiring = rope_wiring(RopeConvention::partial, {.width = 64, .base = 10000, .part = 0.25});
  ASSERT_EQ(wiring.query.size(), 8u);
  EXPECT_EQ(wiring.query[7].a, 7);
  EXPECT_EQ(wiring.query[7].b, 15);
  EXPECT_DOUBLE_EQ(wiring.query[4].frequency_a, 0.01);  // 10000^(−8/16)
}

TEST(RopeWiring, ProportionalIsTheRuleOfThatName) {
  const auto wiring = rope_wiring(RopeConvention::proportional, {.width = 512, .base = 1e6, .part = 0.25});
  const auto rule =
      rope_frequencies({.type = RopeType::proportional, .rotary_dim = 512, .base = 1e6, .partial = 0.25});
  ASSERT_EQ(wiring.query.size(), 256u);
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(wiring.query[i].frequency_a, rule.inv_freq[i]) << i;
  // Gemma 4's slowest live pair, as models.md gives it; an ordinary partial head would be 27 000 times slower.
  EXPECT_NEAR(wiring.query[63].frequency_a, 0.0333762, 5e-8);
  const auto partial = rope_wiring(RopeConvention::partial, {.width = 512, .base = 1e6, .part = 0.25});
  EXPECT_NEAR(partial.query[63].frequency_a, 1.24094e-06, 5e-12);
}

TEST(RopeWiring, VerdictsAreWhatTheAlgebraSays) {
  const Matrix<double> q = tensor::Random(1).normals(1, 32), k = tensor::Random(2).normals(1, 32);
  const std::array<double, 5> distances{0, 1, 2, 7, 40}, keys{0, 1, 16, 100, 1000};
  const double length = q.norm() * k.norm();
  for (const RopeConvention convention : all) {
    const auto wiring = rope_wiring(convention, {.width = 32, .part = 0.5});
    const double spread = score_spread(rope_wired_scores(wiring, row(q), row(k), distances, keys)) / length;
    const bool mixed = convention == RopeConvention::mixed_table || convention == RopeConvention::mixed_sides;
    // Angles up to 1040 rad are rounded by 2^-43 each, cosines and sums by less: 1e-12 is ten times that.
    if (mixed) {
      EXPECT_GT(spread, 0.05) << static_cast<int>(convention);
    } else {
      EXPECT_LT(spread, 1e-12) << static_cast<int>(convention);
    }
  }
}

TEST(RopeWiring, AMixedTableDoesNotKeepLengths) {
  const std::array<double, 4> x{1, 1, 1, 1};
  const auto y = rope_turned(x, 1, rope_wiring(RopeConvention::mixed_table, {.width = 4}).query);
  EXPECT_GT(std::abs(std::inner_product(y.begin(), y.end(), y.begin(), 0.0) - 4), 0.1);
}

TEST(RopeWiring, EveryColumnIsInOnePairAtMost) {
  for (const RopeConvention convention : all) {
    const auto wiring = rope_wiring(convention, {.width = 12, .part = 0.5});
    for (const auto& side : {wiring.query, wiring.key}) {
      std::vector<int> seen(12);
      for (const RopePair& pair : side) {
        ++seen.at(static_cast<std::size_t>(pair.a));
        ++seen.at(static_cast<std::size_t>(pair.b));
      }
      for (const int n : seen) EXPECT_LE(n, 1);
    }
  }
}

TEST(RopeWiring, SaysWhatItDoesNotTake) {
  EXPECT_THROW(rope_wiring(RopeConvention::half, {.width = 5}), InvalidArgument);
  EXPECT_THROW(rope_wiring(RopeConvention::half, {.width = 0}), InvalidArgument);
  EXPECT_THROW(rope_wiring(RopeConvention::partial, {.part = 1.5}), InvalidArgument);
}

}  // namespace
}  // namespace orrery::position::rope_wiring_test
