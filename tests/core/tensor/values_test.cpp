#include "core/tensor/values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/kept.h"

namespace orrery::tensor::values_test {
namespace {

using support::in_float;

TEST(Values, FloatsAreReadAsTheDoublesThatTheyAre) {
  const Values values(std::vector<float>{0.1f, -2, 3});
  EXPECT_TRUE(in_float(values));
  EXPECT_EQ(values[0], static_cast<double>(0.1f));
  EXPECT_EQ(values.to<double>(), (std::vector<double>{static_cast<double>(0.1f), -2, 3}));
  EXPECT_EQ(values, Values(std::vector<double>{static_cast<double>(0.1f), -2, 3}));
  EXPECT_FALSE(values == Values(std::vector<double>{0.1, -2, 3}));
  EXPECT_FALSE(values == Values(std::vector<float>{0.1f, -2}));
}

TEST(Values, AreWalkedThroughFromEitherEnd) {
  for (const Values& values : {Values(std::vector<float>{1, 2, 3, 4}), Values{1, 2, 3, 4}}) {
    EXPECT_EQ(std::vector<double>(values.begin(), values.end()), (std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(values.end() - values.begin(), 4);
    EXPECT_EQ(*(values.end() - 1), 4);
    EXPECT_EQ(values.begin()[2], 3);
    EXPECT_LT(values.begin(), values.end());
    EXPECT_EQ(std::ranges::find(values, 3.0) - values.begin(), 2);
    EXPECT_EQ(std::ranges::max(values), 4);
  }
  EXPECT_TRUE(Values().empty());
  EXPECT_TRUE(Values().begin() == Values().end() || Values().size() == 0);
}

TEST(Values, WhatIsChangedIsKeptInDoubleFromThereOn) {
  Values values(std::vector<float>{0.5f, 1});
  values.doubles()[0] = 0.1;
  EXPECT_FALSE(in_float(values));
  EXPECT_EQ(values, (Values{0.1, 1}));
}

TEST(Values, WhatFitsAFloatIsKeptInFloatOnceItIsRounded) {
  for (const Format format : {Format::f32, Format::f16, Format::bf16}) {
    Values from_double{0.1, 1e300, -0.0}, from_float(std::vector<float>{0.1f, INFINITY, -0.0f});
    from_double.round_to(format);
    from_float.round_to(format);
    EXPECT_TRUE(in_float(from_double)) << name(format);
    EXPECT_TRUE(in_float(from_float)) << name(format);
    EXPECT_EQ(from_double[0], round_to(format, 0.1)) << name(format);
    EXPECT_EQ(from_double[1], INFINITY) << name(format);
    EXPECT_TRUE(std::signbit(from_double[2])) << name(format);
    EXPECT_EQ(from_float[0], round_to(format, static_cast<double>(0.1f))) << name(format);
  }
  Values in_double{0.1};
  in_double.round_to(Format::f64);
  EXPECT_FALSE(in_float(in_double));
  EXPECT_EQ(in_double[0], 0.1);
}

TEST(Values, AreRoundedOnce) {
  // Just above the middle between 1 and the next half: by way of float it would be the middle itself, and go down to 1.
  Values values{1 + 0x1p-11 + 0x1p-30};
  values.round_to(Format::f16);
  EXPECT_EQ(values[0], 1 + 0x1p-10);
}

}  // namespace
}  // namespace orrery::tensor::values_test
