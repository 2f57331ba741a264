// What attention/permutation says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/study/kit/expects.h"
#include "app/study/kit/words.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

double changed(const StudyResult& result, const char* by) {
  return at(result, "schemes", "change of all outputs", by);
}

/// Shifted by one of three, the words at 0, 1, 2 are the third, the first, the second: their weights are those of the sentence.
TEST(AttentionPermutation, TheWeightsOfAnotherOrderAreMoved) {
  const auto result = compute("attention/permutation", {{"order", "shifted"}});
  constexpr std::size_t word_at[] = {2, 0, 1};
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_NEAR(column(result, "other", "key " + std::to_string(n))[m],
                  column(result, "weights", "key " + std::to_string(word_at[n]))[word_at[m]], 1e-6);
  EXPECT_TRUE(all_hold(result));
}

/// ALiBi and, by symmetry, nothing else that is told here is blind to which end a sentence begins at.
TEST(AttentionPermutation, WhatTellsOrderTellsIt) {
  const auto reversed = compute("attention/permutation", {});
  EXPECT_LT(changed(reversed, "no positions"), 1e-6);
  EXPECT_LT(changed(reversed, "ALiBi"), 1e-6);
  for (const char* told : {"sinusoids", "RoPE", "causal mask"})
    EXPECT_GT(changed(reversed, told), 0.01) << told;
  const auto shifted = compute("attention/permutation", {{"order", "shifted"}});
  EXPECT_GT(changed(shifted, "ALiBi"), 0.01);
}

TEST(AttentionPermutation, OneWordHasNoOrder) {
  const auto result = compute("attention/permutation", {{"text", "word"}});
  for (const char* told : {"no positions", "ALiBi", "sinusoids", "RoPE", "causal mask"})
    EXPECT_EQ(changed(result, told), 0) << told;
}

/// One word four times has one value: whatever the weights, RoPE and the mask leave its outputs as they were, and what a
/// float rounds is no effect of theirs. Sinusoids are part of the values.
TEST(AttentionPermutation, RoundingIsNoEffect) {
  for (const DeviceChoice device : {DeviceChoice::ref, DeviceChoice::cpu}) {
    const std::string title =
        compute("attention/permutation", {{"text", "a a a a"}, {"order", "shifted"}}, device).figure.title;
    EXPECT_TRUE(title.starts_with(
        "Without positions outputs only change places; RoPE changes them by 0 %, sinusoids by "))
        << title;
    EXPECT_TRUE(title.ends_with(", a causal mask by 0 %")) << title;
    EXPECT_EQ(
        compute("attention/permutation", {{"text", "word"}}, device).figure.title,
        "Nothing changes: outputs are the same without positions, with RoPE, sinusoids and a causal mask");
  }
}

TEST(AttentionPermutation, TheSameWordIsTheSameWhereverItStands) {
  EXPECT_EQ(number_of_word("Dog"), number_of_word("dog"));
  EXPECT_NE(number_of_word("dog"), number_of_word("god"));
  EXPECT_EQ(number_of_word(""), 0xcbf29ce484222325);   // FNV-1a's published start,
  EXPECT_EQ(number_of_word("a"), 0xaf63dc4c8601ec8c);  // and its value of "a"
}

namespace attention_permutation_title {

bool says_what_changes(const titles::Said& said) {
  const auto part = said.as(
      "Without positions outputs only change places; RoPE changes them by {} %, sinusoids by {} %, a causal mask by "
      "{} %");
  // "0" is rounding and nothing else.
  const auto says = [&](std::size_t i, const char* by) {
    const double change = changed(said.result, by);
    return (*part)[i] == "0" ? change < 1e-4 : change > 1e-7 && titles::says((*part)[i], 100 * change, 2);
  };
  if (said.is(
          "Nothing changes: outputs are the same without positions, with RoPE, sinusoids and a causal mask"))
    return std::ranges::all_of(std::array{"no positions", "RoPE", "sinusoids", "causal mask"},
                               [&](const char* by) { return changed(said.result, by) < 1e-4; });
  return part && changed(said.result, "no positions") < 1e-5 && says(0, "RoPE") && says(1, "sinusoids") &&
         says(2, "causal mask");
}

const titles::Entries entries{{"attention/permutation", says_what_changes}};

}  // namespace attention_permutation_title

}  // namespace
}  // namespace orrery::study
