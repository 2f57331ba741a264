// The factor √d: shares against the closed form, √d in few bits as models' users found it, and who scales at all.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace embedding_scale_test {
namespace {

// d = 512: 256 of 256 + 1, 256 of 256 + 512; GPT-2's 0.02: 256 of 256 + 0.2048, of 256 + 104.8576; 1: of 256 + 512 and + 512².
TEST(EmbeddingScale, SharesAreThoseWorkedByHand) {
  const auto result = compute("embedding/scale", {});
  const auto share = [&](const char* begin, const char* column) { return at(result, "here", column, begin); };
  EXPECT_NEAR(share("1/√d", "share expected"), 100 * 256 / 257.0, 1e-12);
  EXPECT_NEAR(share("1/√d", "share with √d expected"), 100 / 3.0, 1e-12);
  EXPECT_NEAR(share("0.02", "share expected"), 100 * 256 / 256.2048, 1e-12);
  EXPECT_NEAR(share("0.02", "share with √d expected"), 100 * 256 / 360.8576, 1e-12);
  EXPECT_NEAR(share("1", "share expected"), 100 / 3.0, 1e-12);
  EXPECT_NEAR(share("1", "share with √d expected"), 100 * 256 / (256 + 512.0 * 512), 1e-12);
  EXPECT_TRUE(all_hold(result));
}

// 32 rows of 512 numbers: the mean square is off by √(2/16384) = 1.1 %, a share of a third by a (1 − a) of that; five of these.
TEST(EmbeddingScale, DrawnRowsAreNearIt) {
  const auto result = compute("embedding/scale", {});
  for (const char* begin : {"1/√d", "0.02", "1"})
    for (const char* column : {"share", "share with √d"}) {
      const double expected = at(result, "here", std::string(column) + " expected", begin);
      EXPECT_NEAR(at(result, "here", column, begin), expected, 0.055 * expected * (1 - expected / 100))
          << begin;
    }
}

// Gemma's factor in bf16, as its users found it: 55.5 for 55.4256 (d = 3072), 50.5 for 50.596 (d = 2560).
TEST(EmbeddingScale, TheFactorInSixteenBits) {
  const auto result = compute("embedding/scale", {});
  const auto& factors = table(result, "factor_by_width");
  const auto factor = [&](double width, const char* column) {
    return at(result, "factor_by_width", column, width);
  };
  EXPECT_EQ(factor(3072, "in bf16"), 55.5);
  EXPECT_EQ(factor(2560, "in bf16"), 50.5);
  EXPECT_EQ(factor(2048, "in bf16"), 45.25);
  EXPECT_EQ(factor(3584, "in bf16"), 59.75);
  EXPECT_EQ(factor(1024, "in bf16"), 32);
  EXPECT_EQ(factor(3072, "in f16"), 55.4375);
  EXPECT_NEAR(factor(3072, "√d"), 55.425625842204073, 1e-14);
  EXPECT_EQ(factors.columns[0].values.size(), 256u);
}

TEST(EmbeddingScale, TheFirstTransformerAndGemmaScale) {
  const auto result = compute("embedding/scale", {});
  const auto& models = table(result, "models");
  EXPECT_EQ(models.columns[0].words,
            (std::vector<std::string>{"Transformer base", "Transformer big", "Gemma 3 1B", "Gemma 2B",
                                      "Gemma 3 4B", "Gemma 7B", "Gemma 2 9B"}));
  EXPECT_EQ(models.columns[1].values, (std::vector<double>{512, 1024, 1152, 2048, 2560, 3072, 3584}));
  EXPECT_EQ(at(result, "models", "in the format", "Gemma 3 1B"), 34);
}

// Half a unit in the last place of bf16 is 2^-8 of the smallest number in its octave: √d comes near to that.
TEST(EmbeddingScale, NoFactorIsOffByMoreThanTheFormatAllows) {
  const auto worst = [](const char* format) {
    const std::string column = std::string("relative error in ") + format;
    double largest = 0;
    const auto result = compute("embedding/scale", {{"format", format}});
    for (const double e : study::column(result, "factor_by_width", column))
      largest = std::max(largest, std::abs(e));
    return largest;
  };
  EXPECT_LE(worst("bf16"), 0x1p-8);
  EXPECT_GT(worst("bf16"), 0x1p-9);
  EXPECT_LE(worst("f16"), 0x1p-11);
  EXPECT_GT(worst("f16"), 0x1p-12);
}

TEST(EmbeddingScale, ATypedDeviationIsAFourthLine) {
  const auto result = compute("embedding/scale", {{"begin", "typed"}, {"deviation", "0.5"}, {"width", "8"}});
  EXPECT_NEAR(at(result, "here", "share expected", "typed"), 100 * 4 / (4 + 8 * 0.25), 1e-12);
  EXPECT_EQ(table(result, "shares").columns.size(), 9u);
  EXPECT_TRUE(all_hold(result));
}

TEST(EmbeddingScale, APanelThatStoodInPositionSumStillOpens) {
  parameter::Settings settings(find("position/sum").parameters);
  settings.set("show", "lengths");
  EXPECT_EQ(settings.choice("show"), "all");
  EXPECT_NE(find("position/sum").about.find("embedding/scale"), std::string_view::npos);
}

/// In three digits, or as many as it takes to say that it is not all.
bool says_share(const std::string& words, double percent) {
  const double said = titles::number_of(words);
  return titles::says(words, percent, 3)
             ? said < 100 || percent == 100
             : percent > 99.9 && said < 100 && std::abs(said - percent) < 0.5 * (100 - percent);
}

bool says_both_shares(const titles::Said& said) {
  const std::string& begin = said.settings.choice("begin");
  const char* row = begin == "root" ? "1/√d" : begin == "gpt2" ? "0.02" : begin == "torch" ? "1" : "typed";
  const auto part = said.as("Position is {} % of what enters the first layer; with $\\sqrt{d}$, {} %");
  return part && says_share((*part)[0], at(said.result, "here", "share expected", row)) &&
         says_share((*part)[1], at(said.result, "here", "share with √d expected", row));
}

/// "How far √d is off in bf16": the format is the one that is set.
bool names_the_format(const titles::Said& said) {
  return said.text.ends_with(" in " + said.settings.choice("format"));
}

const titles::Entries entries{{"embedding/scale", says_both_shares, names_the_format}};

}  // namespace
}  // namespace embedding_scale_test
}  // namespace orrery::study
