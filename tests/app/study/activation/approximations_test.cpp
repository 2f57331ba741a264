// GELU's forms: their largest errors by mpmath, and shares that were counted in another program.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace activation_approximations_test {
namespace {

// mpmath: 4.73235520687285e-4 at ±2.69894138637727, 2.03348722092392e-2 at ±2.27039773719661. The samples are 0.01 apart, and
// the error is flat where it is largest.
TEST(ActivationApproximations, TheLargestErrorsAreTheKnownOnes) {
  const auto result = compute("activation/approximations", {{"range", "4"}});
  const auto& columns = table(result, "errors").columns;
  double tanh = 0, sigmoid = 0;
  for (const double error : columns[2].values) tanh = std::max(tanh, std::abs(error));
  for (const double error : columns[3].values) sigmoid = std::max(sigmoid, std::abs(error));
  EXPECT_NEAR(tanh, 4.73235520687285e-4, 1e-7);
  EXPECT_NEAR(sigmoid, 2.03348722092392e-2, 1e-6);
  EXPECT_TRUE(all_hold(result));
}

// Half a unit of bf16, 8 bits: from 8 to 16 numbers are 2^-4 apart; below 2^-126 all are 2^-133 apart.
TEST(ActivationApproximations, HalfAUnitIsThatOfTheFormat) {
  const auto units = [](const char* format, double x) {
    const auto result = compute("activation/approximations", {{"format", format}, {"range", "20"}});
    return at(table(result, "errors"), x, 4);
  };
  EXPECT_EQ(units("bf16", 10), 0x1p-5);
  EXPECT_EQ(units("f16", 10), 0x1p-8);
  EXPECT_EQ(units("f32", 10), 0x1p-21);
  EXPECT_EQ(units("bf16", -20), 0x1p-134);
  EXPECT_EQ(units("f16", -20), 0x1p-25);
}

// Python's math.erfc and math.tanh, and the same 801 places.
TEST(ActivationApproximations, SharesAreThoseOfAnotherProgram) {
  const auto shares = table(compute("activation/approximations", {}), "by_format");
  EXPECT_NEAR(at(shares, 24, 1), 7.0 / 801, 1.5 / 801);
  EXPECT_NEAR(at(shares, 11, 1), 461.0 / 801, 1.5 / 801);
  EXPECT_NEAR(at(shares, 8, 1), 563.0 / 801, 1.5 / 801);
  EXPECT_NEAR(at(shares, 8, 3), 146.0 / 801, 1.5 / 801);
}

bool says_the_shares(const titles::Said& said) {
  const std::string format = said.settings.choice("format");
  const auto part = said.as(
      "In {} rounding outweighs the error of the tanh form at {} % of these x, that of the sigmoid form at {} %");
  if (!part || (*part)[0] != format) return false;
  const std::size_t row = format == "f32" ? 0 : format == "f16" ? 1 : 2;
  const auto is = [&](const std::string& words, const char* column) {
    return std::abs(titles::number_of(words) - 100 * said.column("by_format", column)[row]) <= 0.5;
  };
  return is((*part)[1], "tanh form: rounding is larger") &&
         is((*part)[2], "sigmoid form: rounding is larger");
}

/// Of headings only the formats' names and powers of ten have digits.
const titles::Entries entries{
    {"activation/approximations", says_the_shares, [](const titles::Said&) { return true; }}};

}  // namespace
}  // namespace activation_approximations_test
}  // namespace orrery::study
