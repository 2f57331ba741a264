// What gated units do with their halves beside an activation and a product: limits, offsets, no function, alternating columns.
#include "core/activation/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/activation/glu_vjp.h"
#include "tests/support/inputs.h"

namespace orrery::activation::gate_test {
namespace {

using tensor::Index;
using tensor::Matrix;

Gate gpt_oss() {
  Gate gate = Kind::gelu_quick;
  gate.limit = 7;
  gate.offset = 1;
  return gate;
}

Matrix<double> unit(const Matrix<double>& x, const GluParams& params) {
  Matrix<double> y(x.rows(), x.cols() / 2), fast(x.rows(), x.cols() / 2);
  glu_ref(x, params, y);
  glu_cpu<double>(x, params, fast);
  EXPECT_EQ(fast, y);
  Matrix<float> floats(x.rows(), x.cols() / 2);
  glu_cpu<float>(x.cast<float>().eval(), params, floats);
  EXPECT_LE((floats.cast<double>() - y).cwiseAbs().maxCoeff(), 0x1p-23 * y.cwiseAbs().maxCoeff());
  return y;
}

// a σ(1.702 a)(b + 1) at (8, −9), cut to (7, −7), and at (2, 2): mpmath at 25 digits.
TEST(Gate, IsGptOss) {
  Matrix<double> x(2, 2);
  x << 8, -9, 2, 2;
  const Matrix<double> y = unit(x, {.gate = gpt_oss(), .interleaved = true});
  EXPECT_NEAR(y(0, 0), -41.99971876981990, 1e-14);
  EXPECT_NEAR(y(1, 0), 5.806975869432624, 1e-15);
}

TEST(Gate, BilinearIsTheProduct) {
  Gate gate = Kind::sigmoid;
  gate.linear = true;
  Matrix<double> x(1, 4);
  x << 3, -2, 0.5, 4;
  EXPECT_EQ(unit(x, {.gate = gate}), (Matrix<double>{{1.5, -8}}));
}

TEST(Gate, AlternatingColumnsAreHalvesInAnotherOrder) {
  const Matrix<double> x = support::normal_floats(5, 14);
  Matrix<double> alternating(5, 14);
  for (Index j = 0; j < 7; ++j) {
    alternating.col(2 * j) = x.col(j);
    alternating.col(2 * j + 1) = x.col(7 + j);
  }
  for (const Half gated : {Half::first, Half::second})
    EXPECT_EQ(unit(alternating, {.gate = gpt_oss(), .gated = gated, .interleaved = true}),
              unit(x, {.gate = gpt_oss(), .gated = gated}));
}

// PyTorch's clamp: 1 up to the limit, itself included, and 0 beyond it.
TEST(Gate, BeyondALimitNothingIsLearned) {
  const Matrix<double> g = Matrix<double>::Ones(1, 3);
  Matrix<double> x(1, 6), dx(1, 6);
  x << 8, 7, 1, 7, -7.5, -7;  // a = 8, 1, −7.5 and b = 7, 7, −7
  glu_vjp<double>(x, g, {.gate = gpt_oss(), .interleaved = true}, dx);
  EXPECT_EQ(dx(0, 0), 0);
  EXPECT_NE(dx(0, 1), 0);
  EXPECT_NE(dx(0, 2), 0);
  EXPECT_NE(dx(0, 4), 0);  // the activated half has no lower limit
  EXPECT_NE(dx(0, 5), 0);
  x(0, 5) = -7.25;
  glu_vjp<double>(x, g, {.gate = gpt_oss(), .interleaved = true}, dx);
  EXPECT_EQ(dx(0, 5), 0);
}

TEST(Gate, NanIsNotCut) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> x(1, 4), y(1, 2);
  x << nan, 1, 1, nan;
  glu_ref(x, {.gate = gpt_oss(), .interleaved = true}, y);
  EXPECT_TRUE(std::isnan(y(0, 0)) && std::isnan(y(0, 1)));
}

}  // namespace
}  // namespace orrery::activation::gate_test
