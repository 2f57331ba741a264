// Lengths and likenesses of embedding plus position against what their definitions make one expect.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"

namespace orrery::study::sum_test {
namespace {

TEST(EmbeddingPlusPosition, LengthsAreThoseOfTheTheory) {
  const auto result = compute("position/sum", {});
  const auto& lengths = table(result, "lengths");
  for (const double length : lengths.columns[2].values) EXPECT_NEAR(length, 16, 1e-12);  // √(512/2)
  const auto& ratio = table(result, "ratio");
  // 8 words of 512 normal numbers: their length is off by 1/√(2 · 4096), 1.1 %; four of these.
  EXPECT_NEAR(ratio.columns[1].values[0], 16, 0.044 * 16);
  EXPECT_NEAR(ratio.columns[1].values[1], std::sqrt(0.5), 0.044 * std::sqrt(0.5));
  EXPECT_TRUE(all_hold(result));
}

// With B(1) = 249.102 for d = 512: one word twice has the cosine (B + s²)/(d/2 + s²), two words B/(d/2 + s²).
TEST(EmbeddingPlusPosition, TheFactorDecidesWhatIsAlike) {
  const auto likeness = [](const char* words, std::size_t column) {
    return table(compute("position/sum", {{"words", words}}), "likeness").columns[column].values[1];
  };
  // Products of a word with a row vary by |PE| σ = 0.7 s, of two words by s²/√512: over d/2 + s².
  EXPECT_NEAR(likeness("7,7", 2), (249.102 + 1) / 257, 4 * 1.4 / 257);
  EXPECT_NEAR(likeness("7,8", 2), 249.102 / 257, 4 * 1.4 / 257);
  EXPECT_NEAR(likeness("7,7", 3), (249.102 + 512) / 768, 4 * 32.0 / 768);
  EXPECT_NEAR(likeness("7,8", 3), 249.102 / 768, 4 * 32.0 / 768);
}

TEST(EmbeddingPlusPosition, OfDeviationOneTheFactorDrownsThePosition) {
  const auto ratio = table(compute("position/sum", {{"deviation", "1"}}), "ratio");
  EXPECT_DOUBLE_EQ(ratio.columns[2].values[0], std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(ratio.columns[2].values[1], 1.0 / 32);  // √(d/2) over d
}

// A sentence is words: the same one twice is one vector, in upper case or lower; ids in their place are still understood.
TEST(EmbeddingPlusPosition, ASentenceIsItsWords) {
  const auto result = compute("position/sum", {{"text", "The cat saw the dog"}});
  const auto& ids = table(result, "lengths").columns[1].values;
  ASSERT_EQ(ids.size(), 5u);
  EXPECT_EQ(ids[0], ids[3]);
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_EQ(result.figure.panels.at(2).x.names,
            (std::vector<std::string>{"$\\mathrm{The}$", "$\\mathrm{cat}$", "$\\mathrm{saw}$",
                                      "$\\mathrm{the}$", "$\\mathrm{dog}$"}));
  EXPECT_EQ(table(result, "lengths").columns[1].words, result.figure.panels.at(2).x.names);
  const auto old = compute("position/sum", {{"words", "3,1,4"}, {"text", "not read"}});
  EXPECT_EQ(table(old, "lengths").columns[1].values, (std::vector<double>{3, 1, 4}));
  EXPECT_FALSE(table(old, "lengths").columns[1].of_words());
  EXPECT_NO_THROW(compute("position/sum", {{"text", "  "}}));
}

// In a narrow model sums may point away from one another: a cosine of −0.97 is not painted as 0.
TEST(EmbeddingPlusPosition, CosinesBelowZeroHaveTheirOwnColours) {
  const auto result = compute(
      "position/sum",
      {{"width", "2"}, {"deviation", "3"}, {"text", "I love a cat and the dog"}, {"show", "plain_likeness"}});
  const auto cosines = column_called(result, "likeness", "without");
  EXPECT_LT(*std::ranges::min_element(cosines), -0.9);
  for (const figure::Mark& mark : result.figure.panels.at(0).marks)
    if (const auto* map = std::get_if<figure::Heatmap>(&mark)) {
      ASSERT_TRUE(map->colors.range);
      EXPECT_EQ(*map->colors.range, (figure::Range{-1, 1}));
      EXPECT_EQ(map->colors.map, figure::ColorMap::diverging);
      return;
    }
  FAIL() << "no map";
}

// Positions stand on the unit circle; a sum is off it by the word, √d times as far with the factor as without.
TEST(EmbeddingPlusPosition, ThePlaneIsAtTrueScale) {
  const auto result = compute("position/sum", {});
  const auto &plain = table(result, "plane_plain"), &scaled = table(result, "plane_scaled");
  for (std::size_t p = 0; p < plain.columns[0].values.size(); ++p) {
    const auto of = [&](const figure::Table& t, std::size_t c) { return t.columns[c].values[p]; };
    EXPECT_NEAR(std::hypot(of(plain, 1), of(plain, 2)), 1, 1e-6);
    EXPECT_NEAR(of(scaled, 3) - of(scaled, 1), std::sqrt(512.0) * (of(plain, 3) - of(plain, 1)), 1e-5);
    EXPECT_NEAR(of(scaled, 4) - of(scaled, 2), std::sqrt(512.0) * (of(plain, 4) - of(plain, 2)), 1e-5);
  }
  const auto &left = result.figure.panels.at(0), &right = result.figure.panels.at(1);
  EXPECT_EQ(left.x.range, right.x.range);
  EXPECT_EQ(left.y.range, right.y.range);
}

}  // namespace
}  // namespace orrery::study::sum_test
