// Mathematics against TeX. The lengths are those of Computer Modern at 10 pt, from its metric files
// (cmmi10.tfm, cmr10.tfm, cmsy10.tfm, cmex10.tfm, Knuth 1986); Latin Modern Math rounds each to a thousandth
// of an em.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "app/export/math/alphabets.h"
#include "app/export/math/layout.h"
#include "app/export/math/parse.h"
#include "app/export/math/symbols.h"
#include "app/export/text.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::math_test {
namespace {

using math::Atom;
using math::Node;
using Kind = Node::Kind;

constexpr double half_unit = 0.005;  // pt: half of a thousandth of 10 pt

figure::Extent formula(std::string_view tex) {
  return samples::print_text().measure_formula(tex, 10);
}

class MathFontTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string note = english(missing_fonts_note(samples::print_fonts));
    // The expected widths are those of these fonts; ./dev installs them, other systems may not have them.
    if (!note.empty()) GTEST_SKIP() << note;
  }
};
using MathSettingFontTest = MathFontTest;

// Widths.

TEST_F(MathSettingFontTest, RelationsHaveThickSpaces) {
  // a (0.528589) = (0.777781) n (0.600235) and 5 mu, 5/18 em, at either side of the sign.
  EXPECT_NEAR(formula("a=n").width, 5.28589 + 7.77781 + 6.00235 + 2 * 10 * 5 / 18.0, 3 * half_unit);
}

TEST_F(MathSettingFontTest, BinarySignsHaveMediumSpacesAndSignsOfNumbersNone) {
  // a (0.528589) − (0.777781) n (0.600235).
  EXPECT_NEAR(formula("a-n").width, 5.28589 + 7.77781 + 6.00235 + 2 * 10 * 4 / 18.0, 3 * half_unit);
  EXPECT_NEAR(formula("-n").width, 7.77781 + 6.00235, 2 * half_unit);
  EXPECT_NEAR(formula("a=-n").width, formula("a=n").width + 7.77781, half_unit);
}

TEST_F(MathSettingFontTest, OperatorNamesHaveThinSpacesAndNoneBeforeBrackets) {
  const double b = formula("b").width;
  EXPECT_NEAR(formula("\\log b").width, formula("\\log").width + b + 10 * 3 / 18.0, 1e-9);
  EXPECT_NEAR(formula("\\log(b)").width, formula("\\log").width + b + formula("()").width, 1e-9);
  // l (0.277779) o (0.500002) g (0.500002), with cmr10's one kern in it: o–g has none.
  EXPECT_NEAR(formula("\\log").width, 2.77779 + 5.00002 + 5.00002, 3 * half_unit);
}

TEST_F(MathSettingFontTest, ItalicCorrectionStandsAfterASlantedLetter) {
  // V: 0.583336 wide, leaning 0.222222 further; an index tucks in under it by just that.
  EXPECT_NEAR(formula("V").width, 5.83336 + 2.22222, 0.1);
  const double lean = formula("V^2").width - formula("V_2").width;
  EXPECT_NEAR(lean, 2.22222, 0.1);  // the two fonts round this one differently: 0.214 em in Latin Modern
}

TEST_F(MathSettingFontTest, LettersAreKernedAsComputerModerns) {
  // cmr10.tfm: V a 0.750002 and 0.500002 wide, −0.083334 between them; r 0.391668.
  EXPECT_NEAR(formula("\\mathrm{Var}").width, 7.50002 + 5.00002 - 0.83334 + 3.91668, 3 * half_unit);
  // cmmi10.tfm: −0.166667 between d and f, 0.055556 less before a comma than after f alone.
  EXPECT_NEAR(formula("d{}f").width - formula("df").width, 1.66667, half_unit);
  EXPECT_NEAR(formula("V{}/").width - formula("V/").width, 1.11112, half_unit);
  EXPECT_NEAR(formula("d_2f").width, formula("d_2").width + formula("f").width,
              1e-9);  // a script keeps them apart
}

TEST_F(MathSettingFontTest, Spaces) {
  const double ab = formula("ab").width;
  EXPECT_NEAR(formula("a\\,b").width - ab, 10 * 3 / 18.0, 1e-9);
  EXPECT_NEAR(formula("a\\;b").width - ab, 10 * 5 / 18.0, 1e-9);
  EXPECT_NEAR(formula("a\\!b").width - ab, -10 * 3 / 18.0, 1e-9);
  EXPECT_NEAR(formula("a\\quad b").width - ab, 10, 1e-9);
  EXPECT_NEAR(formula("a b").width, ab, 1e-12);
}

// Heights.

TEST_F(MathSettingFontTest, DisplayedFractionIsTeXs) {
  const figure::Extent half = formula("\\frac{1}{2}");
  // A digit (0.500002 wide, 0.644444 high) and 1.2 pt of \nulldelimiterspace at either side.
  EXPECT_NEAR(half.width, 5.00002 + 2 * 1.2, half_unit);
  // Numerator on num1 = 0.676508, denominator on denom1 = 0.685951; Latin Modern draws 1 as high as 0.666 em.
  EXPECT_NEAR(half.ascent, 6.76508 + 6.66, 2 * half_unit);
  EXPECT_NEAR(half.descent, 6.85951, 2 * half_unit);
}

TEST_F(MathSettingFontTest, SumGrowsInDisplayAndStandsOnTheAxis) {
  const figure::Extent sum = formula("\\sum");
  // cmex10's large sum: 1.444449 wide, 1.4 high and deep together, its middle on the axis at 0.25.
  EXPECT_NEAR(sum.width, 14.44449, half_unit);
  EXPECT_NEAR(sum.ascent + sum.descent, 14.0, 2 * half_unit);
  EXPECT_NEAR((sum.ascent - sum.descent) / 2, 2.5, half_unit);
}

TEST_F(MathSettingFontTest, LimitsStandAboveAndBelowOnlyInDisplay) {
  const figure::Extent bare = formula("\\sum");
  const figure::Extent limits = formula("\\sum_i^n");
  EXPECT_NEAR(limits.width, bare.width, 1e-9);
  EXPECT_GT(limits.ascent, bare.ascent + 3);
  EXPECT_GT(limits.descent, bare.descent + 3);
  const auto& text = samples::print_text();
  const figure::TextStyle style{figure::Voice::words, 10, false};
  EXPECT_GT(text.measure("$\\sum_i^n$", style).width, text.measure("$\\sum$", style).width + 2);
}

TEST_F(MathSettingFontTest, DelimitersCoverWhatTheyEnclose) {
  for (const char* inside : {"x", "\\frac{a}{b}", "\\frac{\\frac{a}{b}}{\\frac{c}{d}}",
                             "\\frac{\\frac{\\frac ab}{\\frac cd}}{\\frac{\\frac ab}{\\frac cd}}"}) {
    const figure::Extent bare = formula(inside);
    for (const auto& [left, right] : {std::pair{"(", ")"}, {"[", "]"}, {"\\{", "\\}"}, {"|", "|"}}) {
      const figure::Extent fenced = formula(std::string("\\left") + left + inside + "\\right" + right);
      // TeX asks for 0.901 of the height, or all but 5 pt.
      const double height = bare.ascent + bare.descent;
      EXPECT_GE(fenced.ascent + fenced.descent, std::max(0.901 * height, height - 5)) << left << inside;
      EXPECT_GT(fenced.width, bare.width) << left << inside;
    }
  }
}

TEST_F(MathSettingFontTest, RootCoversItsRadicand) {
  for (const char* inside :
       {"x", "x^2", "\\frac{a}{b}", "\\sum_i x_i^2", "\\frac{\\sum_i^n x}{\\sum_i^n y}"}) {
    const figure::Extent bare = formula(inside);
    const figure::Extent root = formula(std::string("\\sqrt{") + inside + '}');
    EXPECT_GT(root.ascent, bare.ascent + 0.4) << inside;  // the bar, 0.04 em, at least
    EXPECT_GE(root.descent + 1e-9, bare.descent) << inside;
    EXPECT_GT(root.width, bare.width + 5) << inside;
  }
}

TEST_F(MathSettingFontTest, EveryCommandWeNameHasItsGlyph) {
  const math::MathFont font("Latin Modern Math");
  for (const math::Symbol& symbol : math::all_symbols()) {
    for (const int script : {0, 1, 2}) {
      EXPECT_NE(font.glyph(math::in_alphabet(symbol.code, math::Alphabet::italic), script), 0u)
          << symbol.name;
    }
  }
  using enum math::Alphabet;
  for (const math::Alphabet alphabet :
       {italic, upright, bold, bold_italic, blackboard, calligraphic, fraktur, sans_serif, typewriter}) {
    for (char32_t letter = U'A'; letter <= U'Z'; ++letter) {
      EXPECT_NE(font.glyph(math::in_alphabet(letter, alphabet), 0), 0u) << static_cast<int>(letter);
      if (alphabet != calligraphic) {
        EXPECT_NE(font.glyph(math::in_alphabet(letter + 32, alphabet), 0), 0u) << static_cast<int>(letter);
      }
    }
  }
  EXPECT_EQ(math::in_alphabet(U'h', italic), U'ℎ');  // Planck's constant: Unicode had it before the alphabet
  EXPECT_EQ(math::in_alphabet(U'ϵ', italic), char32_t{0x1D716});
  EXPECT_EQ(math::in_alphabet(U'R', blackboard), U'ℝ');
  EXPECT_EQ(math::in_alphabet(U'H', fraktur), U'ℌ');
}

// The parser.

TEST(MathParse, BuildsWhatTeXWould) {
  const Node formula = math::parse("\\theta_i=m\\cdot b^{-2i/d}");
  ASSERT_EQ(formula.parts.size(), 5u);
  EXPECT_EQ(formula.parts[0].kind, Kind::scripts);
  EXPECT_EQ(formula.parts[0].parts[0].code, char32_t{0x1D703});
  EXPECT_EQ(formula.parts[1].atom, Atom::relation);
  EXPECT_EQ(formula.parts[3].atom, Atom::binary);
  EXPECT_EQ(formula.parts[4].parts[2].parts.size(), 5u);
  EXPECT_EQ(math::parse("\\frac12").parts[0].kind, Kind::fraction);
  EXPECT_EQ(math::parse("x''").parts[0].parts[2].parts.size(), 2u);
  EXPECT_EQ(math::parse("\\operatorname{soft max}x").parts[0].text, "softmax");
  EXPECT_EQ(math::parse("\\text{a b}").parts[0].text, "a b");
}

TEST(MathParse, WhatItDoesNotKnowIsShownAsSource) {
  const auto unknown_text = [](std::string_view tex) {
    const Node formula = math::parse(tex);
    const Node& node = formula.kind == Kind::row ? formula.parts.at(0) : formula;
    EXPECT_EQ(node.kind, Kind::unknown) << tex;
    return node.text;
  };
  EXPECT_EQ(unknown_text("\\foo x"), "\\foo");
  EXPECT_EQ(unknown_text("}x"), "}");
  EXPECT_EQ(unknown_text("\\text x"), "\\text");
  EXPECT_EQ(unknown_text("\\"), "\\");
  EXPECT_EQ(math::parse("\\frac").parts[0].parts[0].text, "\\frac");
}

TEST(MathParse, LengthAndDepthHaveLimits) {
  EXPECT_EQ(math::parse(std::string(5000, 'x')).kind, Kind::unknown);
  EXPECT_EQ(math::parse(std::string(4096, 'x')).parts.size(), 4096u);
  for (const char* opening : {"{", "\\sqrt", "\\hat", "x^{", "\\left(", "\\frac{", "\\sqrt[", "\\mathbf"}) {
    std::string deep;
    while (deep.size() < 4000) deep += opening;
    EXPECT_EQ(math::parse(deep).kind, Kind::unknown) << opening;
    EXPECT_GT(formula(deep).width, 0);
  }
}

TEST(MathParse, AnyBytesMakeAFormula) {
  // Pieces that mean something, so that chance finds the corners, and bytes that mean nothing.
  const std::string pieces[] = {
      "\\frac", "{",         "}",  "_", "^",     "\\sqrt", "[",        "]",     "\\left", "\\right",
      "(",      ".",         "\\", "x", "\\sum", "\\hat",  "\\text{",  "\\foo", "\xFF",   "\xE4",
      "中",     "'",         " ",  "-", "\\|",   "~",      "\\mathbb", "\\,",   "𝜃",      "\\rightarrow",
      "$",      "\\overline"};
  std::uint32_t seed = 7;
  const auto next = [&seed] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (int round = 0; round < 3000; ++round) {
    std::string tex;
    for (unsigned length = next() % 40; length > 0; --length) {
      const unsigned pick = next() % 40;
      tex += pick < std::size(pieces) ? pieces[pick] : std::string(1, static_cast<char>(next()));
    }
    const figure::Extent extent = formula(tex);
    ASSERT_TRUE(std::isfinite(extent.width) && std::isfinite(extent.ascent) && std::isfinite(extent.descent))
        << tex;
  }
}

}  // namespace
}  // namespace orrery::exporter::math_test
