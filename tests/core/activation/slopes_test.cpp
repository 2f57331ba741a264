// Derivatives in float against the double ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "core/activation/activation_vjp.h"

namespace orrery::activation::slopes_test {
namespace {

using tensor::Index;
using tensor::Matrix;

class Slopes : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(Kind, Slopes,
                         testing::Values(Kind::relu, Kind::silu, Kind::gelu, Kind::gelu_tanh, Kind::mish),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(Slopes, InFloatStayWithinTheirBound) {
  Matrix<float> x(40, 1001), g(40, 1001), dx(40, 1001);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) {
      x(i, j) = static_cast<float>((j - 500) * 0.002 * (1 + i));  // 0, and as far as ±40
      g(i, j) = static_cast<float>(1 + (i * 7 + j) % 13) * (j % 2 == 0 ? 1 : -1);
    }
  activation_vjp_in_float(x, g, GetParam(), dx);
  double worst = 0, at = 0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) {
      const double exact = static_cast<double>(g(i, j)) * derivative(GetParam(), x(i, j));
      const double error = std::abs(dx(i, j) - exact) / std::abs(static_cast<double>(g(i, j)));
      if (error > worst) worst = error, at = x(i, j);
    }
  std::printf("  %s: off by %.2f u at %g\n", std::string(name(GetParam())).c_str(), worst / 0x1p-24, at);
  EXPECT_LE(worst, 8 * 0x1p-24);
}

TEST_P(Slopes, HaveLimitsAndKeepNan) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  Matrix<float> x(1, 5), g = Matrix<float>::Ones(1, 5), dx(1, 5);
  x << inf, -inf, nan, 1e30F, -1e30F;
  activation_vjp_in_float(x, g, GetParam(), dx);
  EXPECT_NEAR(dx(0, 0), 1, 1e-6);
  EXPECT_NEAR(dx(0, 1), 0, 1e-6);
  EXPECT_TRUE(std::isnan(dx(0, 2)));
  EXPECT_NEAR(dx(0, 3), 1, 1e-6);
  EXPECT_NEAR(dx(0, 4), 0, 1e-6);
}

}  // namespace
}  // namespace orrery::activation::slopes_test
