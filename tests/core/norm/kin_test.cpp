// BatchNorm, InstanceNorm, GroupNorm, ScaleNorm and dynamic tanh: their edges, and how they are kin to the others.
#include <gtest/gtest.h>
#include <omp.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/norm/batch_norm.h"
#include "core/norm/dyt.h"
#include "core/norm/group_norm.h"
#include "core/norm/group_norm_vjp.h"
#include "core/norm/instance_norm.h"
#include "core/norm/instance_norm_vjp.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/norm/scale_norm.h"
#include "core/tensor/tanh.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::norm::kin_test {
namespace {

using tensor::Index;
using tensor::Matrix;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(BatchNorm, IsLayerNormTurned) {
  const Matrix<double> x = support::normal_floats(37, 130), turned = x.transpose();
  Matrix<double> y(37, 130), fast(37, 130), layer(130, 37);
  batch_norm_ref(x, {}, {}, {}, y);
  batch_norm_cpu<double>(x, {}, {}, {}, fast);
  layer_norm_ref(turned, {}, {}, {}, layer);
  EXPECT_EQ(y, Matrix<double>(layer.transpose()));
  EXPECT_LT((fast - y).cwiseAbs().maxCoeff(), 1e-14);  // 37 terms of about 1, roundings of 1e-16
}

TEST(BatchNorm, NanStaysInItsColumnAndAConstantColumnIsTheBias) {
  Matrix<double> x = support::normal_floats(9, 4);
  x(3, 1) = nan;
  x(5, 2) = infinity;
  x.col(3).setConstant(0.1);
  const std::vector<float> bias{1, 2, 3, 4};
  const Matrix<float> in = x.cast<float>();
  Matrix<float> y(9, 4);
  batch_norm_cpu<float>(in, {}, bias, {}, y);
  EXPECT_TRUE(y.col(0).array().isFinite().all());
  EXPECT_TRUE(y.col(1).array().isNaN().all());
  EXPECT_TRUE(y.col(2).array().isNaN().all());
  EXPECT_TRUE((y.col(3).array() == 4).all());
}

TEST(BatchNorm, OneTokenIsTheBiasAndNoTokenIsNothing) {
  const Matrix<float> x = support::normal_floats(1, 5).cast<float>();
  Matrix<float> y(1, 5);
  batch_norm_cpu<float>(x, {}, {}, {}, y);
  EXPECT_TRUE((y.array() == 0).all());
  Matrix<float> none(0, 5);
  batch_norm_cpu<float>(none, {}, {}, {}, none);
}

TEST(BatchNorm, WorksInPlaceAndOnManyThreads) {
  const Matrix<float> x = support::normal_floats(300, 257).cast<float>();  // enough to be shared
  Matrix<float> y(300, 257), in_place = x;
  batch_norm_cpu<float>(x, {}, {}, {}, y);
  batch_norm_cpu<float>(in_place, {}, {}, {}, in_place);
  EXPECT_EQ(y, in_place);
  const Matrix<double> exact = y.cast<double>();
  EXPECT_LT(exact.colwise().mean().cwiseAbs().maxCoeff(), 1e-7);  // each value was rounded by 2⁻²⁴·3 at most
}

/// In pieces of 32 rows and more, and of 1024 columns: the seams are in the middle, and some rows and columns are left over.
/// With a mean of 1000 σ, what is lost in a sum would show.
TEST(BatchNorm, HasNoSeams) {
  const Matrix<double> x = (support::normal_floats(1307, 1029).array() + 1000).cast<float>().cast<double>();
  Matrix<double> expected(1307, 1029);
  batch_norm_ref(x, {}, {}, {}, expected);
  const Matrix<float> in = x.cast<float>();
  Matrix<float> y(1307, 1029);
  batch_norm_cpu<float>(in, {}, {}, {}, y);
  support::Worst("batch_norm, 1307 × 1029")
      .expect(support::compare(tensor::View<const float>(y), expected, batch_norm_bound), "mean 1000");
}

TEST(BatchNorm, IsTheSameToTheBitOnAnyNumberOfThreads) {
  const Matrix<float> x = support::normal_floats(2100, 1100).cast<float>();  // written past the caches
  Matrix<float> one(2100, 1100), many(2100, 1100);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  batch_norm_cpu<float>(x, {}, {}, {}, one);
  omp_set_num_threads(5);
  batch_norm_cpu<float>(x, {}, {}, {}, many);
  omp_set_num_threads(threads);
  EXPECT_EQ(one, many);
}

/// By hand: the column has (1, 3) in one sample and (10, 10) in the other: μ = 2 and 10, σ² = 1 and 0.
TEST(InstanceNorm, EverySampleHasItsOwnMeanAndVariance) {
  Matrix<double> x(4, 1), y(4, 1);
  x << 1, 3, 10, 10;
  instance_norm_ref(x, {}, std::vector<double>{0.5}, {.eps = 3, .positions = 2}, y);
  EXPECT_DOUBLE_EQ(y(0, 0), 0);  // the biased variance: with T − 1 it were ½ − 1/√5
  EXPECT_DOUBLE_EQ(y(1, 0), 1);
  EXPECT_DOUBLE_EQ(y(2, 0), 0.5);
  EXPECT_DOUBLE_EQ(y(3, 0), 0.5);
}

/// A sample with its channels side by side in one row, one channel to a group: PyTorch's layout of both.
TEST(InstanceNorm, IsGroupNormOfOneChannelAGroupTurned) {
  constexpr Index samples = 3, positions = 5, channels = 7;
  const Matrix<double> x = support::normal_floats(samples * positions, channels);
  Matrix<double> y(x.rows(), channels), rows(samples, channels * positions), grouped = rows;
  for (Index b = 0; b < samples; ++b)
    for (Index t = 0; t < positions; ++t)
      for (Index j = 0; j < channels; ++j) rows(b, j * positions + t) = x(b * positions + t, j);
  instance_norm_ref(x, {}, {}, {.positions = positions}, y);
  group_norm_ref(rows, {}, {}, {.groups = channels}, grouped);
  for (Index b = 0; b < samples; ++b)
    for (Index t = 0; t < positions; ++t)
      for (Index j = 0; j < channels; ++j)
        EXPECT_EQ(y(b * positions + t, j), grouped(b, j * positions + t)) << b << " " << t << " " << j;
}

TEST(InstanceNorm, OfOneSampleIsBatchNormAndOfOnePositionTheBias) {
  const Matrix<float> x = support::normal_floats(12, 33).cast<float>();
  const std::vector<float> weight(33, 3), bias(33, 0.25F);
  Matrix<float> y(12, 33), batch(12, 33);
  instance_norm_cpu<float>(x, weight, bias, {.positions = 12}, y);
  batch_norm_cpu<float>(x, weight, bias, {}, batch);
  EXPECT_EQ(y, batch);
  instance_norm_cpu<float>(x, weight, bias, {.positions = 1}, y);
  EXPECT_TRUE((y.array() == 0.25F).all());
}

TEST(InstanceNorm, NanStaysInItsColumnOfItsSample) {
  Matrix<float> x = support::normal_floats(12, 5).cast<float>(), y(12, 5);
  x(5, 2) = static_cast<float>(nan);
  x(11, 0) = static_cast<float>(-infinity);
  instance_norm_cpu<float>(x, {}, {}, {.positions = 4}, y);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 5; ++j)
      EXPECT_EQ(std::isnan(y(i, j)), (i / 4 == 1 && j == 2) || (i / 4 == 2 && j == 0)) << i << " " << j;
}

TEST(InstanceNorm, WorksInPlaceAndOnAnyNumberOfThreads) {
  const Matrix<float> x = support::normal_floats(60, 1040).cast<float>();  // enough to be shared
  Matrix<float> y(60, 1040), in_place = x, one(60, 1040);
  instance_norm_cpu<float>(x, {}, {}, {.positions = 12}, y);
  instance_norm_cpu<float>(in_place, {}, {}, {.positions = 12}, in_place);
  EXPECT_EQ(y, in_place);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  instance_norm_cpu<float>(x, {}, {}, {.positions = 12}, one);
  omp_set_num_threads(threads);
  EXPECT_EQ(y, one);
}

TEST(InstanceNorm, ItsDerivativeIsThatOfEachSample) {
  const Matrix<double> x = support::normal_floats(12, 6), g = support::normal_floats(12, 6, 1);
  Matrix<double> dx(12, 6);
  std::vector<double> db(6);
  instance_norm_vjp<double>(x, {}, g, {.eps = 0, .positions = 4}, {dx, {}, db});
  for (Index b = 0; b < 3;
       ++b) {  // shifts and, with ε = 0, scales of a sample change nothing: roundings of 1e-16
    const auto sample = dx.middleRows(4 * b, 4);
    EXPECT_LT(sample.colwise().sum().cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT(sample.cwiseProduct(x.middleRows(4 * b, 4)).colwise().sum().cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_GT(sample.cwiseAbs().maxCoeff(), 0.1);
  }
  for (Index j = 0; j < 6; ++j) EXPECT_NEAR(db[static_cast<std::size_t>(j)], g.col(j).sum(), 1e-14);
}

/// By hand: the groups (1, 3) and (10, 10, …) have μ = 2 and 10, σ² = 1 and 0.
TEST(GroupNorm, EveryGroupHasItsOwnMeanAndVariance) {
  Matrix<double> x(1, 4), y(1, 4);
  x << 1, 3, 10, 10;
  group_norm_ref(x, {}, std::vector<double>{0, 1, 2, 3}, {.eps = 3, .groups = 2}, y);
  EXPECT_DOUBLE_EQ(y(0, 0), -0.5);  // the biased variance: with D − 1 it were −1/√5
  EXPECT_DOUBLE_EQ(y(0, 1), 1.5);
  EXPECT_DOUBLE_EQ(y(0, 2), 2);
  EXPECT_DOUBLE_EQ(y(0, 3), 3);
}

TEST(GroupNorm, OfOneGroupIsLayerNormAndOfGroupsOfOneTheBias) {
  const Matrix<double> x = support::normal_floats(5, 48);
  const Matrix<float> in = x.cast<float>();
  const std::vector<float> weight(48, 3), bias(48, 0.25F);
  Matrix<double> y(5, 48), layer(5, 48);
  group_norm_ref(x, {}, {}, {.groups = 1}, y);
  layer_norm_ref(x, {}, {}, {}, layer);
  EXPECT_EQ(y, layer);
  Matrix<float> fast(5, 48), fast_layer(5, 48);
  group_norm_cpu<float>(in, weight, bias, {.groups = 1}, fast);
  layer_norm_cpu<float>(in, weight, bias, {}, fast_layer);
  EXPECT_EQ(fast, fast_layer);
  group_norm_cpu<float>(in, weight, bias, {.groups = 48}, fast);
  EXPECT_TRUE((fast.array() == 0.25F).all());
}

/// Groups of 1e15, 1 and 1e-15, of widths that vectors do and do not divide, with weights of their own; a mean of 1000 σ.
TEST(GroupNorm, GroupsOfAllSizesAreHeldToTheirOwnSize) {
  for (const Index width : {2, 15, 16, 17, 40, 129}) {
    Matrix<double> x = support::normal_floats(7, 3 * width).array() + 1000;
    x.leftCols(width) *= 1e15;
    x.rightCols(width) *= 1e-15;
    x = x.cast<float>().cast<double>().eval();
    const Matrix<double> w = support::normal_floats(1, 3 * width, 1),
                         b = support::normal_floats(1, 3 * width, 2);
    const std::vector<double> weight(w.data(), w.data() + w.size()), bias(b.data(), b.data() + b.size());
    Matrix<double> expected(7, 3 * width), magnitude(7, 3 * width);
    group_norm_ref(x, weight, bias, {.eps = 0, .groups = 3}, expected);
    group_norm_ref(x, {}, {}, {.eps = 0, .groups = 3}, magnitude);
    for (Index i = 0; i < 7; ++i)
      for (Index k = 0; k < 3; ++k) {
        const double largest = magnitude.row(i).segment(k * width, width).cwiseAbs().maxCoeff();
        magnitude.row(i).segment(k * width, width) =
            w.middleCols(k * width, width).cwiseAbs() * largest + b.middleCols(k * width, width).cwiseAbs();
      }
    const std::vector<float> weights(weight.begin(), weight.end()), biases(bias.begin(), bias.end());
    const Matrix<float> in = x.cast<float>();
    support::GuardedMatrix<float> y(7, 3 * width);
    group_norm_cpu<float>(in, weights, biases, {.eps = 0, .groups = 3}, y.view());
    EXPECT_TRUE(y.intact());
    const Matrix<double> found = y.view().eigen().cast<double>();
    const auto c = support::compare_by_magnitude(found, expected, magnitude, group_norm_bound);
    EXPECT_TRUE(c.within) << width << ": " << c.text();
  }
}

TEST(GroupNorm, NanStaysInItsGroup) {
  Matrix<float> x = support::normal_floats(3, 64).cast<float>(), y(3, 64);
  x(1, 20) = static_cast<float>(nan);
  x(2, 63) = static_cast<float>(-infinity);
  group_norm_cpu<float>(x, {}, {}, {.groups = 4}, y);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 64; ++j)
      EXPECT_EQ(std::isnan(y(i, j)), (i == 1 && j / 16 == 1) || (i == 2 && j / 16 == 3)) << i << " " << j;
}

TEST(GroupNorm, WorksInPlaceOnAnyNumberOfThreadsAndPastTheCaches) {
  const Matrix<float> x = support::normal_floats(2051, 1040).cast<float>();
  Matrix<float> y(2051, 1040), in_place = x, one(2051, 1040), row(1, 1040);
  group_norm_cpu<float>(x, {}, {}, {.groups = 26}, y);
  group_norm_cpu<float>(in_place, {}, {}, {.groups = 26}, in_place);
  EXPECT_EQ(y, in_place);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  group_norm_cpu<float>(x, {}, {}, {.groups = 26}, one);
  omp_set_num_threads(threads);
  EXPECT_EQ(y, one);
  for (const Index i : {0, 15, 16, 1025, 2050}) {
    const Matrix<float> alone = x.row(i);
    group_norm_cpu<float>(alone, {}, {}, {.groups = 26}, row);
    EXPECT_EQ(y.row(i), row.row(0)) << i;
  }
}

TEST(GroupNorm, ItsDerivativeIsThatOfEachGroup) {
  const Matrix<double> x = support::normal_floats(4, 24), g = support::normal_floats(4, 24, 1);
  Matrix<double> dx(4, 24);
  std::vector<double> db(24);
  group_norm_vjp<double>(x, {}, g, {.eps = 0, .groups = 3}, {dx, {}, db});
  for (Index k = 0; k < 3;
       ++k) {  // shifts and, with ε = 0, scales of a group change nothing: roundings of 1e-16
    const auto group = dx.middleCols(8 * k, 8);
    EXPECT_LT(group.rowwise().sum().cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT(group.cwiseProduct(x.middleCols(8 * k, 8)).rowwise().sum().cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_GT(group.cwiseAbs().maxCoeff(), 0.1);
  }
  for (Index j = 0; j < 24; ++j) EXPECT_DOUBLE_EQ(db[static_cast<std::size_t>(j)], g.col(j).sum());
}

TEST(ScaleNorm, WithTheRootOfTheWidthIsRmsNorm) {
  const Matrix<double> x = support::normal_floats(4, 256);
  Matrix<double> y(4, 256), rms(4, 256);
  scale_norm_cpu<double>(x, 16, {}, y);
  rms_norm_ref(x, {}, {.eps = 0}, rms);
  EXPECT_LT((y - rms).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(ScaleNorm, EpsilonIsAFloor) {
  Matrix<double> x(2, 2), y(2, 2);
  x << 3, 4, 0.3, 0.4;
  scale_norm_ref(x, 10, {.eps = 2}, y);
  EXPECT_DOUBLE_EQ(y(0, 0), 6);
  EXPECT_DOUBLE_EQ(y(0, 1), 8);
  EXPECT_DOUBLE_EQ(y(1, 0), 1.5);
  EXPECT_DOUBLE_EQ(y(1, 1), 2);
}

TEST(ScaleNorm, NanStaysInItsRowAndInfinityLeavesZeros) {
  Matrix<float> x = support::normal_floats(3, 8).cast<float>(), y(3, 8);
  x(0, 3) = static_cast<float>(nan);
  x(1, 2) = static_cast<float>(-infinity);
  scale_norm_cpu<float>(x, 1, {}, y);
  EXPECT_TRUE(y.row(0).array().isNaN().all());
  EXPECT_TRUE(std::isnan(y(1, 2)));
  EXPECT_EQ(y(1, 0), 0);
  EXPECT_TRUE(y.row(2).array().isFinite().all());
}

TEST(Dyt, SaturatesAndKeepsNanToItself) {
  Matrix<float> x(1, 4), y(1, 4);
  x << static_cast<float>(infinity), static_cast<float>(-infinity), static_cast<float>(nan), 0;
  const std::vector<float> weight{2, 3, 1, 1}, bias{0.5F, 0.5F, 0, 7};
  dyt_cpu<float>(x, weight, bias, {}, y);
  EXPECT_EQ(y(0, 0), 2.5F);
  EXPECT_EQ(y(0, 1), -2.5F);
  EXPECT_TRUE(std::isnan(y(0, 2)));
  EXPECT_EQ(y(0, 3), 7);
}

TEST(Dyt, EveryNanIsOne) {
  for (const std::uint32_t bits : {0x7fc00001u, 0x7f800001u, 0x7fffffffu, 0xffffffffu, 0x7fc00080u}) {
    Matrix<float> x = Matrix<float>::Ones(1, 40), y(1, 40);
    x(0, 17) = std::bit_cast<float>(bits);
    const std::vector<float> weight(40, 1.0f);
    dyt_cpu<float>(x, weight, {}, {}, y);
    for (Index j = 0; j < 40; ++j)
      EXPECT_EQ(std::isnan(y(0, j)), j == 17) << std::hex << bits << " column " << j;
  }
}

TEST(Dyt, TanhForFloatKeepsFortyFourBits) {
  double worst = 0;
  for (double x = 1e-30; x < 800; x *= 1.0007) {
    worst = std::max(worst, std::abs(tensor::tanh_for_float(x) / std::tanh(x) - 1));
    EXPECT_EQ(tensor::tanh_for_float(-x), -tensor::tanh_for_float(x));
  }
  std::printf("  tanh_for_float: %.1e of the C library's\n", worst);
  EXPECT_LE(worst, 0x1p-44);
  EXPECT_TRUE(std::isnan(tensor::tanh_for_float(nan)));
  EXPECT_TRUE(std::signbit(tensor::tanh_for_float(-0.0)));
  EXPECT_EQ(tensor::tanh_for_float(infinity), 1);
}

}  // namespace
}  // namespace orrery::norm::kin_test
