#include "tests/support/tex_arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace orrery::support {
namespace {

TEST(TexArithmetic, ReadsWhatACalculatorWould) {
  const std::pair<const char*, double> known[] = {
      {"3 \\cdot 10000^{-2/4}", 0.03},
      {"-2^{2} + 1", -3},
      {"(-2)^{2}", 4},
      {"2^3 - 1 - 1", 6},
      {"8/4/2", 1},
      {"8/(4/2)", 4},
      {"-3 \\cdot -2", 6},
      {"\\frac{1 + 2}{\\sqrt{9}}", 1},
      {"\\frac12", 0.5},
      {"1.2 \\cdot 10^{-5}", 1.2e-5},
      {"10^{-5}", 1e-5},
      {"2\\pi", 2 * std::numbers::pi},
      {"\\frac{1}{2\\pi}", 0.5 / std::numbers::pi},
      {"3(1 + 2)", 9},
      {"\\cos(0) + \\sin 0", 1},
      {"2\\cos(0)", 2},
      {"\\left(\\frac{1}{2} + 1\\right) \\cdot 4", 6},
      {"e^{0} + \\exp(0)", 2},
      {"\\ln(e^{2})", 2},
      {"\\log_2(8) + \\log_{10}(100)", 5},
      {"\\min(3, 2) + \\max\\left(1, \\frac{9}{3}\\right)", 5},
      {"\\max\\{1, 2\\}", 2},
      {"|1 - 3| + \\left|-\\frac{1}{2}\\right|", 2.5},
      {"\\left\\lfloor 2.7 \\right\\rfloor + \\lceil 0.2 \\rceil", 3},
      {"\\tanh(0) + 7", 7},
      {"2\\,\\cdot\\,3", 6},
  };
  for (const auto& [tex, value] : known) {
    const auto found = tex_value(tex);
    ASSERT_TRUE(found) << tex;
    EXPECT_NEAR(*found, value, 1e-15 + 1e-14 * std::abs(value)) << tex;
  }
}

TEST(TexArithmetic, WhatIsNoneIsNone) {
  for (const char* tex : {"", "x", "y_0", "1 +", "(1", "1)", "\\theta", "\\frac{1}", "1 2", "131\\,072",
                          "1..2", "\\mathrm{PE}(3)"})
    EXPECT_FALSE(tex_value(tex)) << tex;
}

TEST(TexArithmetic, KnowsTheLastDigit) {
  const auto is = [](const char* tex, double value, double unit) {
    const auto number = tex_number(tex);
    ASSERT_TRUE(number) << tex;
    EXPECT_DOUBLE_EQ(number->value, value) << tex;
    EXPECT_DOUBLE_EQ(number->unit, unit) << tex;
  };
  is("0.9996", 0.9996, 1e-4);
  is("-1.20", -1.2, 0.01);
  is("131072", 131072, 1);
  is("3.07 \\cdot 10^{-7}", 3.07e-7, 1e-9);
  is("10^{-5}", 1e-5, 1e-5);
  for (const char* tex : {"", "-", "x", "1 + 1", "1.2 \\cdot 11^{2}", "2 \\cdot 10^{x}"})
    EXPECT_FALSE(tex_number(tex)) << tex;
}

TEST(TexArithmetic, PartsStatements) {
  const auto all =
      statements("\\theta_1 = 3 \\cdot 2 = 6 \\quad \\max_{i=1} x = \\frac{1}{3} = 1/3 \\approx 0.33");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "\\theta_1");
  EXPECT_EQ(all[0].expressions, std::vector<std::string>{"3 \\cdot 2"});
  EXPECT_EQ(all[0].result, "6");
  EXPECT_TRUE(all[0].exact);
  EXPECT_EQ(all[1].name, "\\max_{i=1} x");
  EXPECT_EQ(all[1].expressions.size(), 2u);
  EXPECT_FALSE(all[1].exact);
}

TEST(TexArithmetic, FindsWhatIsNotSo) {
  EXPECT_EQ(
      faults("\\theta_1 = 3 \\cdot 10000^{-2/4} = 0.03 \\quad \\cos\\theta_1 = \\cos(0.03) \\approx 0.9996"),
      "");
  EXPECT_EQ(faults("y = 1 - 1 = 0"), "");
  EXPECT_EQ(faults("y = 1/8 \\approx 0.13"), "");  // half of the last digit, either way
  EXPECT_EQ(faults("y = 1/8 \\approx 0.12"), "");
  for (const char* wrong :
       {"y = 1/3 \\approx 0.334", "y = 1/3 = 0.333", "y = 0.33", "3 = 1 + 2 = 3", "y = x = 3",
        "y = 1 + 2 = z", "y = 1 \\approx 0", "", "y = 1 + 2 = 3 \\quad", "= 1 = 1"})
    EXPECT_NE(faults(wrong), "") << wrong;
}

}  // namespace
}  // namespace orrery::support
