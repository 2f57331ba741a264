// Gated units: sizes of published models, and values by mpmath.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace activation_glu_test {
namespace {

// intermediate_size of the published configurations; Mistral's 14336 and Llama 3's are no result of this rule.
TEST(ActivationGlu, SizesAreThoseOfLlama) {
  const auto hidden = [](const char* width) {
    return table(compute("activation/glu", {{"width", width}}), "sizes").columns[1].values[3];
  };
  EXPECT_EQ(hidden("4096"), 11008);
  EXPECT_EQ(hidden("5120"), 13824);
  EXPECT_EQ(hidden("6656"), 17920);
  EXPECT_EQ(hidden("8192"), 22016);
}

// Shazeer's own comparison: 768 wide, 3072 plain, 2048 gated; both layers have as many parameters.
TEST(ActivationGlu, TwoThirdsOfShazeersSize) {
  const auto result = compute("activation/glu", {{"width", "768"}, {"multiple", "1"}});
  const auto& sizes = table(result, "sizes");
  EXPECT_EQ(at(sizes, 0, 1), 3072);
  EXPECT_EQ(at(sizes, 3, 1), 2048);
  EXPECT_EQ(at(sizes, 0, 3), at(sizes, 3, 3));
  EXPECT_TRUE(all_hold(result));
}

// By hand: 64 ⌈⌊2/3 · 3 · 1000⌋/64⌉ = 64 · 32; 1.5 · 9 is 14 when rounded, ⌊28/3⌋ = 9, and up to 4 · 3.
TEST(ActivationGlu, TheFormulaHoldsOfAnyRatio) {
  const auto hidden = [](const char* width, const char* times, const char* multiple) {
    const auto sizes = table(
        compute("activation/glu", {{"width", width}, {"times", times}, {"multiple", multiple}}), "sizes");
    return std::pair(at(sizes, 0, 1), at(sizes, 3, 1));
  };
  EXPECT_EQ(hidden("1000", "3", "64"), std::pair(3000.0, 2048.0));
  EXPECT_EQ(hidden("9", "1.5", "4"), std::pair(14.0, 12.0));
}

// mpmath: 2.5 σ(2.5) = 2.3103545499468911, times −1.5.
TEST(ActivationGlu, ACutHasTheKnownValue) {
  const auto cuts = table(compute("activation/glu", {{"halves", "0,-1.5"}, {"range", "2.5"}}), "cuts");
  EXPECT_NEAR(at(cuts, 2.5, 5), -1.5 * 2.3103545499468911, 1e-15);
}

bool says_the_sizes(const titles::Said& said) {
  const auto part = said.as("At a width of {} {} has {} hidden units where a plain layer has {}");
  if (!part) return false;
  const auto& hidden = said.column("sizes", "hidden units");
  return titles::says((*part)[0], said.settings.real("width")) && titles::says((*part)[2], hidden[3]) &&
         titles::says((*part)[3], hidden[0]);
}

const titles::Entries entries{{"activation/glu", says_the_sizes}};

}  // namespace
}  // namespace activation_glu_test
}  // namespace orrery::study
