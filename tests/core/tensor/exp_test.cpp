#include "core/tensor/exp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace orrery::tensor::exp_test {
namespace {

TEST(ExpForFloat, IsWithinItsErrorOfTheLibrarys) {
  double worst = 0;
  for (double x = -700; x <= 700; x += 0.00731)
    worst = std::max(worst, std::abs(exp_for_float(x) / std::exp(x) - 1));
  EXPECT_LT(worst, 0x1p-45);
  EXPECT_GT(worst, 0x1p-47);  // what the fit leaves: 1.4e-14
}

TEST(ExpForFloat, EndsWhereFloatHasLongEnded) {
  EXPECT_EQ(exp_for_float(-1e300), exp_for_float(-700));
  EXPECT_EQ(exp_for_float(-INFINITY), exp_for_float(-700));
  EXPECT_EQ(exp_for_float(INFINITY), exp_for_float(700));
  EXPECT_EQ(float(exp_for_float(-INFINITY)), 0);
  EXPECT_TRUE(std::isinf(float(exp_for_float(INFINITY))));
  EXPECT_TRUE(std::isnan(exp_for_float(NAN)));
}

TEST(Horner, HighestCoefficientFirst) {
  EXPECT_EQ(horner(2.0, 3.0, 5.0, 7.0), 3 * 4 + 5 * 2 + 7);
}

}  // namespace
}  // namespace orrery::tensor::exp_test
