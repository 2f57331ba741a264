// Few bits, stage by stage: which positions fall together, and what each stage costs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

#include "core/position/rope_staged.h"
#include "core/position/sinusoidal_staged.h"
#include "tests/support/inputs.h"

namespace orrery::position::rope_staged_test {
namespace {

using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::Precision;
using tensor::View;

constexpr Precision bf16_in_float{Format::bf16, Format::f32};

RopeTable staged_table(std::vector<double> positions, const std::vector<double>& w, RopeFormats formats) {
  const std::vector<int> axes(w.size(), 0);
  return rope_staged_table(View<const double>(positions.data(), 1, std::ssize(positions)), axes, w, 1,
                           formats);
}

/// The angle that the fastest pair, one radian a token, makes of a position.
double angle_at(double position, Format format) {
  const RopeTable t =
      staged_table({position}, {1}, rope_formats({format, Format::f64}, RopeStage::positions));
  return std::atan2(t.sin(0, 0), t.cos(0, 0));
}

double turn(double position) {
  return std::atan2(std::sin(position), std::cos(position));
}

// 257 is the position that people met (gpt-neox#1016); the others are of this test.
TEST(RopeStaged, PositionsInBf16FallOnTheirNeighbours) {
  EXPECT_EQ(angle_at(257, Format::bf16), turn(256));
  EXPECT_EQ(angle_at(4095, Format::bf16), turn(4096));
  EXPECT_EQ(angle_at(100001, Format::bf16), turn(99840));
  EXPECT_EQ(angle_at(256, Format::bf16), turn(256));
  EXPECT_EQ(angle_at(2048, Format::f16), turn(2048));
  EXPECT_EQ(angle_at(2049, Format::f16), turn(2048));  // exact to 2048, ties to even beyond
  EXPECT_EQ(angle_at(4097, Format::f32), turn(4097));
}

TEST(RopeStaged, DistinctPositionsLeftByAFormat) {
  const auto distinct = [](Index count, Format format) {
    const auto formats = rope_formats({format, Format::f64}, RopeStage::positions);
    std::vector<double> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), 0.0);
    // A pair so slow that every position has a cosine and sine of its own.
    const RopeTable t = staged_table(positions, {0x1p-18}, formats);
    return std::set<double>(t.sin.data(), t.sin.data() + t.sin.size()).size();
  };
  // Counted in NumPy from the formats alone.
  EXPECT_EQ(distinct(512, Format::bf16), 385u);
  EXPECT_EQ(distinct(1024, Format::bf16), 513u);
  EXPECT_EQ(distinct(8192, Format::bf16), 897u);
  EXPECT_EQ(distinct(32768, Format::bf16), 1153u);
  EXPECT_EQ(distinct(131072, Format::bf16), 1409u);
  EXPECT_EQ(distinct(4096, Format::f16), 3073u);
  EXPECT_EQ(distinct(8192, Format::f16), 4097u);
}

/// Largest error of the rotated row against exact, |x| = 1 in each pair.
double worst_error(RopeStage stage, Precision precision, double position) {
  const auto w = rope_default_frequencies(128, 10000);
  Matrix<double> x(1, 128), y(1, 128), exact(1, 128);
  x << Matrix<double>::Ones(1, 64), Matrix<double>::Zero(1, 64);  // half layout: every pair (1, 0)
  const RopeFormats formats = rope_formats(precision, stage);
  rope_staged(x, staged_table({position}, w, formats), RopeLayout::half, formats, y);
  rope_ref(x, rope_table(std::vector<double>{position}, w), RopeLayout::half, exact);
  return (y - exact).cwiseAbs().maxCoeff();
}

TEST(RopeStaged, EachStageCostsWhatItsFormatSays) {
  constexpr double u = 0x1p-9;  // bf16 near 1: half the distance of neighbours, 2⁻⁸, below 1
  // Only the result is rounded; a float table and rotation add 4097·2⁻²⁴ of angle at most.
  EXPECT_LE(worst_error(RopeStage::result, bf16_in_float, 4097), u + 3e-4);
  // A table in bf16 is rounded once more before; (1, 0) makes the products exact.
  EXPECT_LE(worst_error(RopeStage::table, bf16_in_float, 4097), u + 3e-4);
  // Positions, angles and frequencies are off by radians: the fastest pair may stand anywhere.
  EXPECT_GT(worst_error(RopeStage::positions, bf16_in_float, 4097), 0.5);
  EXPECT_GT(worst_error(RopeStage::angle, bf16_in_float, 4097), 0.5);
  EXPECT_GT(worst_error(RopeStage::frequencies, bf16_in_float, 4097), 0.5);
  // Near the start all is well in any of them: 3 and 1 are exact, and 3 θ is off by 2⁻⁹ of 3 rad at most, twice.
  for (const RopeStage stage : {RopeStage::positions, RopeStage::angle, RopeStage::frequencies}) {
    EXPECT_LE(worst_error(stage, bf16_in_float, 3), 3 * u + u);
  }
  std::printf(
      "  bf16 at position 4097: result %.2g, table %.2g, angle %.2g, frequencies %.2g, positions %.2g\n",
      worst_error(RopeStage::result, bf16_in_float, 4097), worst_error(RopeStage::table, bf16_in_float, 4097),
      worst_error(RopeStage::angle, bf16_in_float, 4097),
      worst_error(RopeStage::frequencies, bf16_in_float, 4097),
      worst_error(RopeStage::positions, bf16_in_float, 4097));
}

TEST(RopeStaged, InDoubleItIsTheReference) {
  const Matrix<double> x = support::normal_floats(6, 20);
  const auto w = rope_default_frequencies(16, 10000);
  const RopeFormats formats = rope_formats({Format::f64, Format::f64}, RopeStage::result);
  for (const RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half}) {
    Matrix<double> y(6, 20), r(6, 20);
    rope_staged(x, staged_table({5, 6, 7}, w, formats), layout, formats, y);
    rope_ref(x, rope_table(std::vector<double>{5, 6, 7}, w), layout, r);
    EXPECT_EQ(y, r);
  }
}

// The angle in float at a million: off by up to half the spacing of floats there, 2⁻⁵ = 0.03.
TEST(RopeStaged, AnglesInFloatAreOffByTheirSpacing) {
  const RopeFormats in_float = rope_formats({Format::f32, Format::f32}, RopeStage::result);
  const auto w = rope_default_frequencies(128, 10000);
  const RopeTable t = staged_table({1e6}, w, in_float), exact = rope_table(std::vector<double>{1e6}, w);
  EXPECT_LE(std::abs(t.cos(0, 0) - exact.cos(0, 0)), 0x1p-25);  // one radian a token: the angle is exact
  double worst = 0;
  for (Index i = 1; i < 64; ++i) {
    worst = std::max(worst, std::hypot(t.cos(0, i) - exact.cos(0, i), t.sin(0, i) - exact.sin(0, i)));
  }
  // θ is rounded to 2⁻²⁴ of itself, which m multiplies, and the product again: 2·0.87e6·2⁻²⁴.
  EXPECT_LE(worst, 2 * 0.87e6 * 0x1p-24);
  EXPECT_GT(worst, 0.01);
}

TEST(SinusoidalStaged, ATableInBf16IsRoundedOnce) {
  Matrix<double> y(64, 32), r(64, 32);
  sinusoidal_staged({}, bf16_in_float, y);
  sinusoidal_ref({}, r);
  // Half a unit of bf16 below 1 is 2⁻⁹; the float angle, up to 63 rad, adds 63·2⁻²³.
  EXPECT_LE((y - r).cwiseAbs().maxCoeff(), 0x1p-9 + 63 * 0x1p-23);
  for (Index i = 0; i < y.size(); ++i) EXPECT_EQ(y.data()[i], tensor::round_to(Format::bf16, y.data()[i]));
  sinusoidal_staged({}, {Format::f64, Format::f64}, y);
  EXPECT_EQ(y, r);
}

// fairseq: the same formula as tensor2tensor, all sines then all cosines, and its own tables begin at padding_idx + 1.
TEST(SinusoidalStaged, FairseqsTableIsTensorToTensorsShifted) {
  Matrix<double> fairseq(10, 16), t2t(12, 16);
  sinusoidal_ref({.layout = SinusoidalLayout::fairseq, .offset = 2}, fairseq);
  sinusoidal_ref({.layout = SinusoidalLayout::tensor2tensor}, t2t);
  EXPECT_EQ(fairseq, t2t.bottomRows(10));
  EXPECT_EQ(t2t.row(0).head(8), Matrix<double>::Zero(1, 8));
  EXPECT_EQ(t2t.row(0).tail(8), Matrix<double>::Ones(1, 8));
}

}  // namespace
}  // namespace orrery::position::rope_staged_test
