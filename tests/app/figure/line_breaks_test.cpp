#include "app/figure/line_breaks.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::figure::line_breaks_test {
namespace {

/// Chunks with a bar where a line may end, and a space where one stands there.
std::string taken_apart(std::string_view text) {
  std::string said;
  for (const Chunk& chunk : unbreakable_chunks(text)) {
    if (!said.empty()) said += chunk.spaced ? " | " : "|";
    said += chunk.text;
  }
  return said;
}

TEST(LineBreaks, EnglishBreaksAtSpaces) {
  EXPECT_EQ(taken_apart("each pair, turned"), "each | pair, | turned");
  EXPECT_EQ(taken_apart("  well-known\nnames "), "well-known | names");
  EXPECT_EQ(taken_apart(""), "");
}

TEST(LineBreaks, AFormulaIsOneWordWithWhatTouchesIt) {
  EXPECT_EQ(taken_apart("angle $\\theta_i = b$, turned"), "angle | $\\theta_i = b$, | turned");
  EXPECT_EQ(taken_apart("costs \\$5 more"), "costs | \\$5 | more");
  EXPECT_EQ(taken_apart("an open $x + 1"), "an | open | $x | + | 1") << "set as a dollar sign, too";
}

TEST(LineBreaks, ChineseBreaksBetweenAnyTwoCharacters) {
  EXPECT_EQ(taken_apart("旋转位置"), "旋|转|位|置");
  EXPECT_EQ(taken_apart("用 RoPE 编码"), "用 | RoPE | 编|码");
  EXPECT_EQ(taken_apart("角$\\theta$大"), "角|$\\theta$|大");
}

TEST(LineBreaks, NoLineBeginsWithWhatClosesOrEndsWithWhatOpens) {
  EXPECT_EQ(taken_apart("转，（大）。"), "转，|（大）。");
  EXPECT_EQ(taken_apart("$x$，大"), "$x$，|大");
  EXPECT_EQ(taken_apart("“收集”把"), "“收|集”|把");
}

TEST(LineBreaks, APercentSignStaysWithItsNumber) {
  EXPECT_EQ(taken_apart("and 7.59 % of it"), "and | 7.59 % | of | it");
  EXPECT_EQ(taken_apart("is $4 \\cdot 10^2$ %"), "is | $4 \\cdot 10^2$ %");
  EXPECT_EQ(taken_apart("共 85.6 %的"), "共 | 85.6 %|的");
  EXPECT_EQ(taken_apart(" % of them"), "% | of | them");
  EXPECT_EQ(taken_apart("One-hot, 6 × 8 of 2 ×"), "One-hot, | 6 × 8 | of | 2 ×");
}

TEST(LineBreaks, KnowsWhatHoldsAFormula) {
  const auto chunks = unbreakable_chunks("角 $x$，大");
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_FALSE(chunks[0].math);
  EXPECT_TRUE(chunks[1].math);
  EXPECT_FALSE(chunks[2].math);
}

}  // namespace
}  // namespace orrery::figure::line_breaks_test
