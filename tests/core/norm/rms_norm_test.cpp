#include "core/norm/rms_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::norm::rms_norm_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix<double> reference(const Matrix<double>& x, const std::vector<double>& weight = {},
                         const RmsNormParams& params = {}) {
  Matrix<double> y(x.rows(), x.cols());
  rms_norm_ref(x, weight, params, y);
  return y;
}

template <class T>
Matrix<T> twin(const Matrix<double>& x, const std::vector<double>& weight = {},
               const RmsNormParams& params = {}) {
  const Matrix<T> in = x.cast<T>();
  const std::vector<T> w(weight.begin(), weight.end());
  GuardedMatrix<T> out(x.rows(), x.cols());
  rms_norm_cpu<T>(in, w, params, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

TEST(RmsNorm, AgreesWithTheWorkedExamples) {
  const auto& example = support::reference_values().at("norm_example");
  const auto x = example.at("x").get<std::vector<double>>();
  const Matrix<double> in = Eigen::Map<const Matrix<double>>(x.data(), 1, Index(x.size()));
  const struct {
    const char* key;
    RmsNormParams params;
  } cases[] = {{"rmsnorm_eps_inside", {.eps = example.at("eps")}},
               {"rmsnorm_eps_outside_1e-8", {.eps = 1e-8, .eps_place = EpsPlace::outside}}};
  for (const auto& c : cases) {
    const auto expected = example.at(c.key).at("y").get<std::vector<double>>();
    const Matrix<double> y = reference(in, example.at("gamma"), c.params);
    const Matrix<double> fast = twin<double>(in, example.at("gamma"), c.params);
    for (Index j = 0; j < y.cols(); ++j) {
      // The file holds 16 digits; a handful of operations in double lose a few units of 1e-16.
      EXPECT_NEAR(y(0, j), expected[std::size_t(j)], 4e-15) << c.key;
      EXPECT_NEAR(fast(0, j), expected[std::size_t(j)], 4e-15) << c.key;
    }
  }
}

TEST(RmsNorm, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("rms_norm"), worst_double("rms_norm in double");
  const RmsNormParams variants[] = {{},
                                    {.eps = 1e-8, .eps_place = EpsPlace::outside},
                                    {.eps = 1e-6, .weight_offset = 1},
                                    // Without ε the inverse of a subnormal row's RMS overflows float.
                                    {.eps = 0}};
  for (Index D : support::input_sizes()) {
    const Matrix<double> gains = support::normal_floats(1, D, 1);
    const std::vector<double> weight(gains.data(), gains.data() + D);
    for (const auto& set : support::input_sets()) {
      const Matrix<double> x = set.make(3, D);
      for (const auto& params : variants) {
        const std::string where = std::string(set.name) + " × " + std::to_string(D) + ", eps " +
                                  std::to_string(params.eps) + ", offset " +
                                  std::to_string(params.weight_offset);
        const Matrix<double> r = reference(x, weight, params);
        worst.expect(support::compare(View<const float>(twin<float>(x, weight, params)), r, rms_norm_bound),
                     where);
        worst.expect(support::compare(View<const float>(twin<float>(x, {}, params)), reference(x, {}, params),
                                      rms_norm_bound),
                     where + ", no weight");
        // Both in double; a sum of positive terms in another order loses at most D · 2⁻⁵³, halved by the
        // root.
        worst_double.expect(support::compare(View<const double>(twin<double>(x, weight, params)), r,
                                             {.rel = 1e-14, .nmse = 1e-28}, tensor::Format::f64),
                            where);
      }
    }
  }
}

// The product of a weight and 1/rms leaves float, or its normal numbers, though neither of them does and y does not.
TEST(RmsNorm, AWeightMayBeFarFromTheRow) {
  const struct { int row, weight; } sizes[] = {{-38, 110}, {48, -90}, {38, -126}, {-20, 100}, {0, -130}};
  for (const auto& size : sizes) {
    const Matrix<double> x = std::ldexp(1.0, size.row) * support::normal_floats(5, 70),
                         gains = std::ldexp(1.0, size.weight) * support::normal_floats(1, 70, 1);
    std::vector<double> weight(gains.data(), gains.data() + gains.size());
    for (double& w : weight) w = static_cast<float>(w);
    weight[3] = 0;
    const RmsNormParams params{.eps = 0};
    EXPECT_TRUE(support::within(support::compare(View<const float>(twin<float>(x, weight, params)),
                                                 reference(x, weight, params), rms_norm_bound)))
        << "rows of 2^" << size.row << ", weights of 2^" << size.weight;
  }
}

TEST(RmsNorm, RowsHaveUnitRootMeanSquare) {
  for (const auto& set : support::input_sets()) {
    if (set.name == "zeros") continue;
    const Matrix<double> y = twin<float>(set.make(5, 1000), {}, {.eps = 0}).cast<double>();
    // Each value was rounded once, by at most 2⁻²⁴ of itself: so was their RMS.
    for (Index i = 0; i < y.rows(); ++i)
      EXPECT_NEAR(std::sqrt(y.row(i).squaredNorm() / 1000), 1, 0x1p-24) << set.name;
  }
}

TEST(RmsNorm, ForgetsScaleButNotShift) {
  const Matrix<double> x = support::normal_floats(4, 257);
  const Matrix<double> shifted = x.array() + 1;
  EXPECT_LT((reference(x, {}, {.eps = 0}) - reference(3.5 * x, {}, {.eps = 0})).cwiseAbs().maxCoeff(), 4e-15);
  EXPECT_GT((reference(x) - reference(shifted)).cwiseAbs().maxCoeff(), 0.1);
}

TEST(RmsNorm, EpsilonStandsWhereItIsPut) {
  const Matrix<double> x = Matrix<double>::Constant(1, 4, 3);  // mean square 9
  EXPECT_DOUBLE_EQ(reference(x, {}, {.eps = 16})(0, 0), 3.0 / 5);
  EXPECT_DOUBLE_EQ(reference(x, {}, {.eps = 3, .eps_place = EpsPlace::outside})(0, 0), 3.0 / 6);
  EXPECT_FLOAT_EQ(twin<float>(x, {}, {.eps = 16})(0, 0), 0.6f);
  EXPECT_FLOAT_EQ(twin<float>(x, {}, {.eps = 3, .eps_place = EpsPlace::outside})(0, 0), 0.5f);
}

TEST(RmsNorm, TheOffsetIsAddedToAGivenWeightOnly) {
  const Matrix<double> x = support::normal_floats(2, 33);
  const RmsNormParams gemma{.weight_offset = 1};
  EXPECT_EQ(twin<float>(x, std::vector<double>(33, 0.0), gemma), twin<float>(x));
  EXPECT_EQ(twin<float>(x, {}, gemma), twin<float>(x));
  EXPECT_EQ(reference(x, {}, gemma), reference(x));
}

/// By hand: 3 / √9 = 1, twice or three times that, and the bias; without a weight, in part, in double and in float alike.
TEST(RmsNorm, TheBiasIsAddedLast) {
  const Matrix<double> x = Matrix<double>::Constant(1, 40, 3);
  const Matrix<float> in = x.cast<float>();
  const std::vector<double> weight(40, 2), bias(40, 0.25);
  const std::vector<float> weights(40, 2), biases(40, 0.25F);
  Matrix<double> y(1, 40);
  Matrix<float> fast(1, 40);
  for (const double partial : {1.0, 0.5})
    for (const double offset : {0.0, 1.0}) {
      const RmsNormParams params{.eps = 0, .weight_offset = offset, .partial = partial};
      rms_norm_ref(x, weight, bias, params, y);
      EXPECT_TRUE((y.array() == 2.25 + offset).all());
      rms_norm_cpu<double>(x, weight, bias, params, y);
      EXPECT_TRUE((y.array() == 2.25 + offset).all());
      rms_norm_cpu<float>(in, weights, biases, params, fast);
      EXPECT_TRUE((fast.array() == static_cast<float>(2.25 + offset)).all());
      rms_norm_cpu<float>(in, {}, biases, params, fast);
      EXPECT_TRUE((fast.array() == 1.25F).all());
    }
}

TEST(RmsNorm, WhereTheRestIsZeroTheBiasIsLeft) {
  Matrix<float> x = support::normal_floats(2, 20).cast<float>(), y(2, 20);
  x.row(0).setZero();
  x(1, 4) = static_cast<float>(infinity);
  const std::vector<float> bias(20, 7);
  rms_norm_cpu<float>(x, {}, bias, {}, y);
  EXPECT_TRUE((y.row(0).array() == 7).all());
  for (Index j = 0; j < 20; ++j) EXPECT_TRUE(j == 4 ? std::isnan(y(1, j)) : y(1, j) == 7) << j;
}

TEST(RmsNorm, NanStaysInItsRowAndInfinityLeavesZeros) {
  Matrix<double> x = support::normal_floats(5, 33);
  const Matrix<float> clean = twin<float>(x);
  x(1, 7) = nan;
  x(3, 2) = -infinity;
  const Matrix<float> y = twin<float>(x);
  const Matrix<double> r = reference(x);
  for (Index j = 0; j < 33; ++j) {
    EXPECT_TRUE(std::isnan(y(1, j)) && std::isnan(r(1, j)));
    if (j == 2) {
      EXPECT_TRUE(std::isnan(y(3, j)) && std::isnan(r(3, j)));
    } else {
      EXPECT_TRUE(y(3, j) == 0 && r(3, j) == 0);
    }
    for (Index i : {0, 2, 4}) EXPECT_EQ(y(i, j), clean(i, j));
  }
}

TEST(RmsNorm, ANaNAmongTheWeightsStaysInItsColumn) {
  // Behind a large weight, in the same lane of a vector of 4, 8 or 16.
  std::vector<double> weight(64, 1);
  weight[0] = 0x1p100;
  weight[16] = nan;
  const Matrix<double> x = Matrix<double>::Constant(1, 64, 0x1p-36);
  const Matrix<float> y = twin<float>(x, weight, {.eps = 0});
  for (Index j = 0; j < 64; ++j)
    EXPECT_TRUE(j == 16 ? std::isnan(y(0, j)) : y(0, j) == (j == 0 ? 0x1p100F : 1.0F)) << j;
}

TEST(RmsNorm, ZeroRowsAndEmptyInputs) {
  EXPECT_EQ(twin<float>(Matrix<double>::Zero(2, 5)), Matrix<float>::Zero(2, 5));
  EXPECT_TRUE(std::isnan(twin<float>(Matrix<double>::Zero(1, 5), {}, {.eps = 0})(0, 0)));
  EXPECT_EQ(twin<float>(Matrix<double>(0, 8)).size(), 0);
  EXPECT_EQ(twin<float>(Matrix<double>(3, 0)).size(), 0);
}

TEST(RmsNorm, WorksInPlaceAndOnManyThreads) {
  const Matrix<double> x = support::normal_floats(300, 257);  // enough for the loop to be shared
  const Matrix<float> expected = twin<float>(x);
  Matrix<float> y = x.cast<float>();
  rms_norm_cpu<float>(y, {}, {}, y);
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace orrery::norm::rms_norm_test
