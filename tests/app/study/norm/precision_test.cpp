// What low precision does to norms, against published numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Ones in bf16 stop at 256: 4096 of them give 4 instead of 1 (the unit roundoff is 2^-8).
TEST(NormPrecision, OnesInBf16AreFourTimesTooLarge) {
  const auto result = compute("norm/precision", {});
  EXPECT_EQ(column(result, "stages", "as set")[1], 256);
  EXPECT_EQ(column(result, "result", "size / true size")[0],
            column(result, "result", "size")[0] / column(result, "result", "true size")[0]);
  EXPECT_NEAR(column(result, "result", "size / true size")[0], 4, 1e-4);
}

/// torch.tensor(255.875).half()**2 is finite, of 256 it is not; squares are 0 below 2^-12.5 (1.726e-4).
TEST(NormPrecision, F16OverflowsFrom256OnAndVanishesBelow2ToMinus12_5) {
  const auto square = [](const char* size) {
    const auto result = compute("norm/precision",
                                {{"storage", "f16"}, {"accumulate", "f16"}, {"size", size}, {"width", "1"}});
    return column(result, "stages", "not finite")[0] == 1 ? INFINITY : column(result, "stages", "as set")[0];
  };
  EXPECT_EQ(square("255.875"), 65472);
  EXPECT_TRUE(std::isinf(square("256")));
  EXPECT_GT(square("1.73e-4"), 0);
  EXPECT_EQ(square("1.72e-4"), 0);
}

/// An exact sum overflows from sqrt(65520 / D) on: 9.2365 at 768, 3.99951 at 4096, 2.82808 at 8192 (NumPy).
TEST(NormPrecision, TheFrontierOfF16IsThePublishedOne) {
  const auto result = compute("norm/precision", {{"storage", "f16"}, {"accumulate", "f16"}});
  EXPECT_NEAR(at(result, "overflow_of_exact_sum", "size", 4096), 3.99951, 5e-6);
  EXPECT_NEAR(at(result, "overflow_of_exact_sum", "size", 8192), 2.82808, 5e-6);
  EXPECT_NEAR(at(result, "vanish", "size", 4096), 1.726e-4, 5e-7);
}

/// One pass loses all digits from a mean of u^-1/2 deviations on: 16 in bf16.
TEST(NormPrecision, OnePassLosesAllDigits) {
  const auto result = compute("norm/precision", {{"accumulate", "f32"}});
  EXPECT_GT(at(result, "one_pass", "RMS error", 1024), 30 * at(result, "two_passes", "RMS error", 1024));
  EXPECT_LT(at(result, "one_pass", "RMS error", 0.25), 1e-5);
}

TEST(NormPrecision, WhatStorageMakesZeroHasNoTrueSize) {
  EXPECT_EQ(compute("norm/precision", {{"size", "1e-9"}, {"storage", "f16"}}).figure.title,
            "Kept in f16 this row is 0 before it is normalised");
}

namespace norm_precision_title {

bool size_of_the_result(const titles::Said& said) {
  if (said.column("result", "true size")[0] == 0)
    return said.is("Kept in " + said.settings.choice("storage") + " this row is 0 before it is normalised");
  const auto part = said.as("With sums in {} and arrays in {} RMSNorm{}");
  if (!part || (*part)[0] != said.settings.choice("accumulate") ||
      (*part)[1] != said.settings.choice("storage"))
    return false;
  const double is = said.column("result", "size")[0], should = said.column("result", "true size")[0];
  const titles::Said rest{said.study, said.settings, said.result, (*part)[2]};
  if (said.column("result", "not finite")[0] == 1) return rest.is("'s result is not finite");
  if (is == 0 && should != 0) return rest.is(" gives 0 where it should not");
  if (rest.is("'s result has its true size")) return std::abs(is / should - 1) < 5e-4;
  const auto times = rest.as("'s result is {} times its true size");
  return times && titles::says((*times)[0], is / should, 4);
}

/// "65504" stands at a level of the sum, no heading has a number.
const titles::Entries entries{{"norm/precision", size_of_the_result}};

}  // namespace norm_precision_title

}  // namespace
}  // namespace orrery::study
