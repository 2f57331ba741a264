// The derivatives of the norms against the worked example, and their geometry.
#include <gtest/gtest.h>

#include <vector>

#include "core/norm/batch_norm_vjp.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm_vjp.h"
#include "core/norm/scale_norm_vjp.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"

namespace orrery::norm::vjp_test {
namespace {

using tensor::Index;
using tensor::Matrix;

struct Example {
  Matrix<double> x, g;
  std::vector<double> gamma;
  double eps;
};

Matrix<double> row_of(const std::vector<double>& v) {
  return Eigen::Map<const Matrix<double>>(v.data(), 1, Index(v.size()));
}

Example example() {
  const auto& e = support::reference_values().at("norm_example");
  return {row_of(e.at("x")), row_of(e.at("grad_y")), e.at("gamma"), e.at("eps")};
}

/// The file holds 16 digits; a dozen operations in double lose a few units of 1e-16.
template <class Values>
void expect_values(const Values& found, const std::vector<double>& expected) {
  for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(found[j], expected[j], 2e-15) << j;
}

TEST(LayerNormVjp, AgreesWithTheWorkedExample) {
  const Example e = example();
  const auto& expected = support::reference_values().at("norm_example").at("layernorm");
  Matrix<double> dx(1, e.x.cols());
  std::vector<double> dw(e.gamma.size()), db(e.gamma.size());
  layer_norm_vjp<double>(e.x, e.gamma, e.g, {.eps = e.eps}, {dx, dw, db});
  expect_values(dx.data(), expected.at("dx"));
  expect_values(dw, expected.at("dgamma"));
  expect_values(db, expected.at("dbeta"));
}

TEST(RmsNormVjp, AgreesWithTheWorkedExample) {
  const Example e = example();
  const auto& expected = support::reference_values().at("norm_example").at("rmsnorm_eps_inside");
  Matrix<double> dx(1, e.x.cols());
  std::vector<double> dw(e.gamma.size());
  rms_norm_vjp<double>(e.x, e.gamma, e.g, {.eps = e.eps}, {dx, dw});
  expect_values(dx.data(), expected.at("dx"));
  expect_values(dw, expected.at("dgamma"));
}

TEST(LayerNormVjp, HasNoPartAlongShiftAndScale) {
  // With ε = 0 the result does not change with a common mean nor with the scale: dx is orthogonal to 1 and to x.
  const Matrix<double> x = support::normal_floats(3, 64), g = support::normal_floats(3, 64, 1);
  for (const LayerNormVariant variant : {LayerNormVariant::standard, LayerNormVariant::annotated}) {
    Matrix<double> dx(3, 64);
    layer_norm_vjp<double>(x, {}, g, {.eps = 0, .variant = variant}, {dx, {}, {}});
    EXPECT_LT(dx.rowwise().sum().cwiseAbs().maxCoeff(), 1e-13);  // 64 terms of about 1, roundings of 1e-16
    EXPECT_LT(dx.cwiseProduct(x).rowwise().sum().cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(RmsNormVjp, HasNoPartAlongScale) {
  const Matrix<double> x = support::normal_floats(3, 64), g = support::normal_floats(3, 64, 1);
  for (const EpsPlace place : {EpsPlace::inside, EpsPlace::outside}) {
    Matrix<double> dx(3, 64);
    rms_norm_vjp<double>(x, {}, g, {.eps = 0, .eps_place = place, .partial = 0.5}, {dx, {}});
    EXPECT_LT(dx.cwiseProduct(x).rowwise().sum().cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(RmsNormVjp, PartialAgreesWithCentralDifferences) {
  // The tests of the op table leave numbers at their defaults: p = 0.4 of 10 columns, o = 1 here.
  const Matrix<double> x = support::normal_floats(2, 10), g = support::normal_floats(2, 10, 1);
  const Matrix<double> w = support::normal_floats(1, 10, 2);
  const std::vector<double> weight(w.data(), w.data() + 10);
  for (const EpsPlace place : {EpsPlace::inside, EpsPlace::outside}) {
    const RmsNormParams params{.eps = 0.1, .eps_place = place, .weight_offset = 1, .partial = 0.4};
    Matrix<double> dx(2, 10);
    rms_norm_vjp<double>(x, weight, g, params, {dx, {}});
    const auto sum = [&](const Matrix<double>& at) {
      Matrix<double> y(2, 10);
      rms_norm_ref(at, weight, params, y);
      return y.cwiseProduct(g).sum();
    };
    for (Index j = 0; j < 10; ++j) {
      constexpr double h = 1e-5;  // off by h² f‴/6, about 1e-10
      Matrix<double> above = x, below = x;
      above(1, j) += h;
      below(1, j) -= h;
      EXPECT_NEAR(dx(1, j), (sum(above) - sum(below)) / (2 * h), 1e-8) << j;
    }
  }
}

TEST(ScaleNormVjp, IsThatOfRmsNormWithTheRootOfTheWidth) {
  const Matrix<double> x = support::normal_floats(3, 64), g = support::normal_floats(3, 64, 1);
  Matrix<double> dx(3, 64), of_rms(3, 64);
  scale_norm_vjp<double>(x, 8, g, {}, dx);
  rms_norm_vjp<double>(x, {}, g, {.eps = 0}, {of_rms, {}});
  EXPECT_LT((dx - of_rms).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(ScaleNormVjp, BelowItsFloorItIsLinear) {
  Matrix<double> x(1, 2), g(1, 2), dx(1, 2);
  x << 3e-6, 4e-6;
  g << 1, -2;
  const double of_gain = scale_norm_vjp<double>(x, 2, g, {.eps = 1e-5}, dx);
  EXPECT_DOUBLE_EQ(dx(0, 0), 2e5);
  EXPECT_DOUBLE_EQ(dx(0, 1), -4e5);
  EXPECT_DOUBLE_EQ(of_gain, -0.5);  // (3 − 8)/10
}

TEST(BatchNormVjp, IsThatOfLayerNormTurned) {
  const Matrix<double> x = support::normal_floats(20, 3), g = support::normal_floats(20, 3, 1);
  Matrix<double> dx(20, 3), turned(3, 20);
  batch_norm_vjp<double>(x, {}, g, {}, {dx, {}, {}});
  const Matrix<double> xt = x.transpose(), gt = g.transpose();
  layer_norm_vjp<double>(xt, {}, gt, {}, {turned, {}, {}});
  EXPECT_LT((dx - turned.transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NormVjps, WeightsOfNoTokensHaveNoGradient) {
  const Matrix<double> none(0, 4);
  std::vector<double> dw(4, 7), db(4, 7);
  Matrix<double> dx(0, 4);
  layer_norm_vjp<double>(none, {}, none, {}, {dx, dw, db});
  EXPECT_EQ(dw, std::vector<double>(4, 0));
  EXPECT_EQ(db, std::vector<double>(4, 0));
}

}  // namespace
}  // namespace orrery::norm::vjp_test
