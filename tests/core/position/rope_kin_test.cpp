// What stands around the rotation: the permutation between layouts, positions along axes, xPos, Self-Extend, and the
// derivative.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/position/rope_axes.h"
#include "core/position/rope_vjp.h"
#include "core/position/self_extend.h"
#include "core/position/xpos.h"
#include "core/tensor/error.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::position::rope_kin_test {
namespace {

using tensor::Index;
using tensor::Matrix;

Matrix<double> turned(const Matrix<double>& x, const RopeTable& table, RopeLayout layout) {
  Matrix<double> y(x.rows(), x.cols());
  rope_ref(x, table, layout, y);
  return y;
}

std::vector<double> from(double first, Index count) {
  std::vector<double> m(static_cast<std::size_t>(count));
  std::iota(m.begin(), m.end(), first);
  return m;
}

Matrix<double> permuted(const Matrix<double>& x, const std::vector<Index>& p) {
  Matrix<double> y(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) y.col(j) = x.col(p[static_cast<std::size_t>(j)]);
  return y;
}

TEST(RopePermutation, HalfOfThePermutedIsThePermutedInterleaved) {
  for (const Index width : {2, 4, 10, 128}) {
    const std::vector<Index> p = rope_permutation(width);
    const Matrix<double> x = support::normal_floats(5, width);
    const RopeTable table = rope_table(from(7, 5), rope_default_frequencies(width, 10000));
    // The very same products and sums in another order of columns: equal to the bit.
    EXPECT_EQ(turned(permuted(x, p), table, RopeLayout::half),
              permuted(turned(x, table, RopeLayout::interleaved), p));
  }
  EXPECT_EQ(rope_permutation(6), (std::vector<Index>{0, 2, 4, 1, 3, 5}));
  EXPECT_TRUE(rope_permutation(0).empty());
  EXPECT_THROW(rope_permutation(5), InvalidArgument);
}

TEST(Mrope, AxesAreTakenAsTheModelsTakeThem) {
  const std::vector<int> qwen2{16, 24, 24};
  const std::vector<int> blocks = mrope_axes(qwen2, false);
  ASSERT_EQ(blocks.size(), 64u);
  EXPECT_EQ(blocks[15], 0);
  EXPECT_EQ(blocks[16], 1);
  EXPECT_EQ(blocks[39], 1);
  EXPECT_EQ(blocks[40], 2);
  EXPECT_EQ(blocks[63], 2);

  // Hugging Face's Qwen3-VL: freqs_t[1:60:3] = freqs_h[1:60:3], freqs_t[2:60:3] = freqs_w[2:60:3].
  const std::vector<int> qwen3{24, 20, 20};
  const std::vector<int> turns = mrope_axes(qwen3, true);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(turns[static_cast<std::size_t>(i)], i < 60 ? i % 3 : 0) << i;
  }
  const std::vector<int> qwen35{11, 11, 10};
  EXPECT_EQ(mrope_axes(qwen35, true)[31], 1);
}

TEST(Mrope, ATextIsTurnedAsByOneAxis) {
  const auto w = rope_default_frequencies(128, 1e6);
  const std::vector<double> m = from(3, 9);
  const RopeTable plain = rope_table(m, w);
  const Matrix<double> same = Eigen::Map<const Matrix<double>>(m.data(), 1, 9).replicate(3, 1);
  for (const bool interleaved : {false, true}) {
    const auto axes = mrope_axes(std::vector<int>{24, 20, 20}, interleaved);
    const RopeTable table = rope_table(tensor::View<const double>(same), axes, w);
    EXPECT_EQ(table.cos, plain.cos);
    EXPECT_EQ(table.sin, plain.sin);
  }
}

TEST(Mrope, EachPairTurnsWithItsAxisAndItsOwnFrequency) {
  const auto w = rope_default_frequencies(128, 1e6);
  Matrix<double> p(3, 1);
  p << 5, 2, 9;
  const auto axes = mrope_axes(std::vector<int>{16, 24, 24}, false);
  const RopeTable table = rope_table(tensor::View<const double>(p), axes, w);
  EXPECT_EQ(table.cos(0, 3), std::cos(5 * w[3]));
  EXPECT_EQ(table.sin(0, 20), std::sin(2 * w[20]));  // not w[4]: the count goes on
  EXPECT_EQ(table.sin(0, 41), std::sin(9 * w[41]));
}

TEST(Mrope, SectionsThatCannotBeAreRefused) {
  EXPECT_THROW(mrope_axes(std::vector<int>{4, -1, 2}, false), InvalidArgument);
  EXPECT_THROW(mrope_axes(std::vector<int>{2, 8, 8}, true), InvalidArgument);  // h would outrun the pairs
  const auto axes = mrope_axes(std::vector<int>{1, 1, 1}, false);
  const Matrix<double> two = Matrix<double>::Zero(2, 4);
  EXPECT_THROW(rope_table(tensor::View<const double>(two), axes, rope_default_frequencies(6, 1e4)),
               InvalidArgument);
  EXPECT_THROW(rope_table(tensor::View<const double>(two), axes, rope_default_frequencies(8, 1e4)),
               InvalidArgument);
}

TEST(Xpos, ScalesAndTheirDecayAreThePublishedOnes) {
  const auto& golden = support::reference_values().at("xpos");
  const std::vector<double> zeta = xpos_scales(32, {});
  const auto expected = golden.at("zeta_d64").get<std::vector<double>>();
  for (std::size_t i = 0; i < 32; ++i) EXPECT_TRUE(support::close(zeta[i], expected[i], 4e-16)) << i;

  // A query at r and a key at 0, at 1000 + r and 1000: their tables multiply to ζ^(r/512), averaged over the pairs.
  for (const auto& [r, decay] : golden.at("decay_factor_mean_over_pairs_d64").items()) {
    for (const double start : {0.0, 1000.0}) {
      const std::vector<double> m{start + std::stod(r)}, n{start};
      RopeTable q = rope_table(m, std::vector<double>(32, 0)), k = rope_table(n, std::vector<double>(32, 0));
      apply_xpos(q, m, {}, ScoreSide::query);
      apply_xpos(k, n, {}, ScoreSide::key);
      // 15 digits are given; powers up to (7/2)^6 are rounded at both ends.
      EXPECT_NEAR(q.cos.cwiseProduct(k.cos).mean(), decay.get<double>(), 2e-15) << r;
    }
  }
  EXPECT_NEAR((rope_table(std::vector<double>{512}, std::vector<double>(32, 0)).cos.mean()), 1, 0);
}

TEST(Xpos, ScoresDependOnTheDistance) {
  const Matrix<double> q = support::normal_floats(1, 64, 1), k = support::normal_floats(1, 64, 2);
  const auto w = rope_default_frequencies(64, 10000);
  const auto score = [&](double m, double n) {
    const std::vector<double> at_m{m}, at_n{n};
    RopeTable tq = rope_table(at_m, w), tk = rope_table(at_n, w);
    apply_xpos(tq, at_m, {}, ScoreSide::query);
    apply_xpos(tk, at_n, {}, ScoreSide::key);
    return turned(q, tq, RopeLayout::half).row(0).dot(turned(k, tk, RopeLayout::half).row(0));
  };
  for (const double shift : {1.0, 300.0, 2000.0}) {
    // Angles up to 2100 rad carry 2.3e-13 each, |q||k| is about 64, and factors of (7/2)^4 meet their inverses.
    EXPECT_NEAR(score(100 + shift, shift), score(100, 0), 64 * 1e-12);
  }
  EXPECT_THROW(xpos_scales(4, {.gamma = 0}), InvalidArgument);
  EXPECT_THROW(xpos_scales(4, {.scale_base = 0}), InvalidArgument);
}

TEST(SelfExtend, DistancesAreThoseOfTheTwoPositions) {
  const SelfExtendParams params{.group = 4, .window = 16};
  EXPECT_EQ(self_extend_distance(20, 5, params), 15);  // within the window: as it is
  // ⌊100/4⌋ + 16 − 4 − ⌊3/4⌋
  EXPECT_EQ(self_extend_distance(100, 3, params), 37);
  EXPECT_EQ(self_extend_position(100, params, ScoreSide::query), 37);
  EXPECT_EQ(self_extend_position(103, params, ScoreSide::key), 25);
  for (Index m = 0; m < 300; ++m) {
    for (Index n = 0; n <= m; ++n) EXPECT_EQ(self_extend_distance(m, n, {.group = 1, .window = 8}), m - n);
  }
}

TEST(SelfExtend, ReachesAsFarAsItSays) {
  for (const SelfExtendParams params :
       {SelfExtendParams{4, 16}, SelfExtendParams{8, 32}, SelfExtendParams{2, 0}}) {
    const Index trained = 64, reach = self_extend_reach(trained, params);
    EXPECT_EQ(reach, (trained - params.window) * params.group + params.window);
    double longest = 0;
    for (Index m = 0; m < reach; ++m) {
      for (Index n = 0; n <= m; ++n) longest = std::max(longest, self_extend_distance(m, n, params));
    }
    EXPECT_LT(longest, trained) << params.group;  // no distance that was not trained
    EXPECT_EQ(self_extend_distance(reach + params.group - 1, 0, params) >= trained - 1, true);
  }
  EXPECT_THROW(check_self_extend({.group = 4, .window = 6}), InvalidArgument);
  EXPECT_THROW(check_self_extend({.group = 0, .window = 0}), InvalidArgument);
}

TEST(RopeVjp, IsTheTransposeOfTheRotation) {
  const Matrix<double> x = support::normal_floats(6, 40, 1), g = support::normal_floats(6, 40, 2);
  const RopeTable table = rope_table(from(90, 3), rope_default_frequencies(24, 10000), 1.25);
  for (const RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half}) {
    Matrix<double> dx(6, 40);
    rope_vjp<double>(g, table.cos, table.sin, layout, dx);
    // ⟨g, R x⟩ = ⟨Rᵀ g, x⟩: 240 products of normals, each to a few roundings.
    EXPECT_NEAR(g.cwiseProduct(turned(x, table, layout)).sum(), dx.cwiseProduct(x).sum(), 1e-13);
    EXPECT_EQ(dx.rightCols(16), g.rightCols(16));
    // With the attention factor out of the way it undoes the turn.
    const RopeTable plain = rope_table(from(90, 3), rope_default_frequencies(24, 10000));
    rope_vjp<double>(turned(x, plain, layout), plain.cos, plain.sin, layout, dx);
    EXPECT_LE((dx - x).cwiseAbs().maxCoeff(), 4e-15);  // c² + s² is 1 to a rounding, |x| up to 4
  }
}

}  // namespace
}  // namespace orrery::position::rope_kin_test
