// Where a formula goes on in a line below.
#include "app/gui/formula_breaks.h"

#include <gtest/gtest.h>

namespace orrery::gui::formula_breaks_test {
namespace {

using Pieces = std::vector<std::string_view>;

/// Lines of so many characters, spaces at their ends not counted.
Pieces broken(std::string_view tex, std::size_t room) {
  Pieces pieces = formula_pieces(
      tex, [&](std::string_view piece, bool) { return piece.find_last_not_of(' ') + 1 <= room; });
  std::size_t whole = 0;
  for (std::string_view& piece : pieces) {
    whole += piece.size();
    piece = piece.substr(0, piece.find_last_not_of(' ') + 1);
  }
  EXPECT_EQ(whole, tex.size()) << "nothing is lost";
  return pieces;
}

TEST(FormulaBreaks, WhatFitsIsOneLine) {
  EXPECT_EQ(broken("a = b + c", 20), Pieces{"a = b + c"});
}

TEST(FormulaBreaks, StandBeforeTheSignThatBindsTwoTerms) {
  EXPECT_EQ(broken("a = b + c - d", 9), (Pieces{"a = b + c", "- d"}));
  EXPECT_EQ(broken("a = b + c - d", 5), (Pieces{"a = b", "+ c", "- d"}));
}

TEST(FormulaBreaks, NeverStandWithinBracesOrParentheses) {
  EXPECT_EQ(broken("a = \\frac{b + c}{d - e} + f(g + h)", 24),
            (Pieces{"a = \\frac{b + c}{d - e}", "+ f(g + h)"}));
  EXPECT_EQ(broken("\\left(a + b\\right)", 4), Pieces{"\\left(a + b\\right)"});
  EXPECT_EQ(broken("\\langle a + b \\rangle = c", 22), (Pieces{"\\langle a + b \\rangle", "= c"}));
  EXPECT_EQ(broken("\\{a + b\\} + c", 10), (Pieces{"\\{a + b\\}", "+ c"}));
}

TEST(FormulaBreaks, LeaveTheSignOfANumberWithIt) {
  EXPECT_EQ(broken("a = -1 + -2", 6), (Pieces{"a = -1", "+ -2"}));
  EXPECT_EQ(broken("-a", 1), Pieces{"-a"});
}

TEST(FormulaBreaks, AreOfProductsOnlyWhereSumsAreNotEnough) {
  EXPECT_EQ(broken("a \\cdot b + c \\cdot d", 11), (Pieces{"a \\cdot b", "+ c \\cdot d"}));
  EXPECT_EQ(broken("aaaa \\cdot bbbb", 8), (Pieces{"aaaa", "\\cdot bbbb"}));
  EXPECT_EQ(broken("a \\cdots b", 4), Pieces{"a \\cdots b"}) << "dots are no product";
  EXPECT_EQ(broken("1.2 \\cdot 10^{-5} + x", 16), (Pieces{"1.2 \\cdot 10^{-5}", "+ x"})) << "a number is one";
}

TEST(FormulaBreaks, OfATermThatIsTooLongAreBehindIt) {
  EXPECT_EQ(broken("abcdefghij + k", 4), (Pieces{"abcdefghij", "+ k"}));
}

}  // namespace
}  // namespace orrery::gui::formula_breaks_test
