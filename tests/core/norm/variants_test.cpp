// The forms of the norms beside their default, against numbers that we did not make.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::norm::variants_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr Estimator estimators[] = {Estimator::two_pass, Estimator::one_pass, Estimator::welford};
constexpr LayerNormParams annotated{.eps = 1e-6, .variant = LayerNormVariant::annotated};

Matrix<double> layer(const Matrix<double>& x, const LayerNormParams& params,
                     const std::vector<double>& weight = {}, const std::vector<double>& bias = {}) {
  Matrix<double> y(x.rows(), x.cols());
  layer_norm_cpu<double>(x, weight, bias, params, y);
  return y;
}

TEST(LayerNormVariants, TheAnnotatedFormAgreesWithTheWorkedExample) {
  const auto& example = support::reference_values().at("norm_example");
  const auto x = example.at("x").get<std::vector<double>>();
  const std::vector<double> gamma = example.at("gamma"), beta = example.at("beta");
  const std::vector<double> expected =
      example.at("std_unbiased_eps_outside_annotated_transformer_1e-6").at("y");
  const Matrix<double> in = Eigen::Map<const Matrix<double>>(x.data(), 1, Index(x.size()));
  Matrix<double> reference(1, in.cols());
  layer_norm_ref(in, gamma, beta, annotated, reference);
  for (const Estimator estimator : estimators) {
    LayerNormParams params = annotated;
    params.estimator = estimator;
    const Matrix<double> y = layer(in, params, gamma, beta);
    for (Index j = 0; j < y.cols(); ++j) {
      // The file holds 16 digits; a handful of operations in double lose a few units of 1e-16.
      EXPECT_NEAR(y(0, j), expected[std::size_t(j)], 4e-15);
      EXPECT_NEAR(reference(0, j), expected[std::size_t(j)], 4e-15);
    }
  }
}

TEST(LayerNormVariants, TheWellKnownDifferenceOfOneHot) {
  // (1, 0, 0, 0): 1.5 in The Annotated Transformer, √3 elsewhere (BERT-pytorch issue 30).
  Matrix<double> x(1, 4);
  x << 1, 0, 0, 0;
  EXPECT_NEAR(layer(x, annotated)(0, 0), 1.499997, 5e-7);
  EXPECT_NEAR(layer(x, annotated)(0, 1), -0.4999990, 5e-8);
  EXPECT_NEAR(layer(x, {})(0, 0), 1.7320046, 5e-8);
  EXPECT_NEAR(layer(x, {})(0, 1), -0.5773349, 5e-8);
}

TEST(LayerNormVariants, EdgesOfTheAnnotatedForm) {
  Matrix<float> one = Matrix<float>::Ones(2, 1), y(2, 1);
  layer_norm_cpu<float>(one, {}, {}, annotated, y);
  EXPECT_TRUE(std::isnan(y(0, 0)) && std::isnan(y(1, 0)));  // no deviation of a single value
  Matrix<float> constant = Matrix<float>::Constant(1, 3, 7), z(1, 3);
  layer_norm_cpu<float>(constant, {}, {}, annotated, z);
  EXPECT_TRUE((z.array() == 0).all());
}

TEST(LayerNormVariants, EstimatorsAgreeWhereNothingCancels) {
  const Matrix<double> x = support::normal_floats(4, 257);
  for (const LayerNormVariant variant : {LayerNormVariant::standard, LayerNormVariant::annotated}) {
    const Matrix<double> y = layer(x, {.variant = variant});
    for (const Estimator estimator : estimators) {
      const Matrix<double> other = layer(x, {.estimator = estimator, .variant = variant});
      // κ is 1: 257 roundings of 1e-16 in all likelihood add up to 16.
      EXPECT_LT((y - other).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

TEST(LayerNormVariants, EstimatorsInDoubleLoseWhatTheirBoundSays) {
  // |μ|/σ = 10⁷: one pass is left with about two digits, Welford with nine.
  const Matrix<double> x = support::normal_floats(2, 1000).array() + 1e7;
  Matrix<double> reference(2, 1000);
  layer_norm_ref(x, {}, {}, {}, reference);
  double lost[3];
  for (int k = 0; k < 3; ++k) {
    const LayerNormParams params{.estimator = estimators[k]};
    lost[k] = (layer(x, params) - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
    // x − μ alone leaves two roundings of 1e7.
    EXPECT_LE(lost[k], 2 * 0x1p-52 * 1e7 + layer_norm_estimator_loss(View<const double>(x), params));
  }
  std::printf("  lost at 1e7: two_pass %.1e, one_pass %.1e, welford %.1e\n", lost[0], lost[1], lost[2]);
  EXPECT_GT(lost[1], 1e-5);
  EXPECT_LT(lost[2], 1e-8);
}

TEST(PartialRms, IsTheRmsOfTheFirstColumns) {
  Matrix<double> x(1, 4);
  x << 3, 3, 100, -50;
  const RmsNormParams half{.eps = 0, .partial = 0.5};
  Matrix<double> reference(1, 4), y(1, 4);
  Matrix<float> in = x.cast<float>(), out(1, 4);
  rms_norm_ref(x, {}, half, reference);
  rms_norm_cpu<double>(x, {}, half, y);
  rms_norm_cpu<float>(in, {}, half, out);
  const double expected[] = {1, 1, 100.0 / 3, -50.0 / 3};
  for (Index j = 0; j < 4; ++j) {
    EXPECT_DOUBLE_EQ(reference(0, j), expected[j]);
    EXPECT_DOUBLE_EQ(y(0, j), expected[j]);
    EXPECT_FLOAT_EQ(out(0, j), static_cast<float>(expected[j]));
  }
}

TEST(PartialRms, CountsColumns) {
  EXPECT_EQ(counted_columns(768, {.partial = 0.0625}), 48);  // the paper's 6.25 %
  EXPECT_EQ(counted_columns(10, {.partial = 0.19}), 1);
  EXPECT_EQ(counted_columns(10, {.partial = 0}), 1);
  EXPECT_EQ(counted_columns(10, {}), 10);
}

TEST(PartialRms, WhatIsNotCountedStaysInItsPlace) {
  Matrix<double> x = support::normal_floats(2, 8);
  const RmsNormParams half{.partial = 0.5};
  Matrix<double> clean(2, 8), y(2, 8);
  rms_norm_cpu<double>(x, {}, half, clean);
  x(0, 7) = std::numeric_limits<double>::quiet_NaN();
  rms_norm_cpu<double>(x, {}, half, y);
  EXPECT_TRUE(std::isnan(y(0, 7)));
  EXPECT_EQ(y.leftCols(7), clean.leftCols(7));
}

TEST(PartialRms, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("partial rms_norm");
  for (const Index D : support::input_sizes()) {
    for (const auto& set : support::input_sets()) {
      const Matrix<double> x = set.make(3, D);
      const Matrix<float> in = x.cast<float>();
      for (const EpsPlace place : {EpsPlace::inside, EpsPlace::outside}) {
        const RmsNormParams params{.eps_place = place, .partial = 0.3};
        Matrix<double> reference(3, D);
        support::GuardedMatrix<float> y(3, D);
        rms_norm_ref(x, {}, params, reference);
        rms_norm_cpu<float>(in, {}, params, y.view());
        EXPECT_TRUE(y.intact());
        worst.expect(support::compare(y.view(), reference, rms_norm_bound),
                     std::string(set.name) + " × " + std::to_string(D));
      }
    }
  }
}

}  // namespace
}  // namespace orrery::norm::variants_test
