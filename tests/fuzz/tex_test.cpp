#include "tests/fuzz/tex.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.h"
#include "tests/support/source.h"

namespace orrery::fuzz::tex_test {
namespace {

constexpr std::string_view tokens[] = {"\\frac",
                                       "\\dfrac",
                                       "\\binom",
                                       "\\sqrt",
                                       "\\sqrt[",
                                       "\\left",
                                       "\\right",
                                       "\\middle",
                                       "\\big",
                                       "\\Biggl",
                                       "\\sum",
                                       "\\int",
                                       "\\lim",
                                       "\\limits",
                                       "\\nolimits",
                                       "\\hat",
                                       "\\widehat",
                                       "\\vec",
                                       "\\overbrace",
                                       "\\underbrace",
                                       "\\overline",
                                       "\\underline",
                                       "\\overset",
                                       "\\underset",
                                       "\\stackrel",
                                       "\\substack",
                                       "\\not",
                                       "\\mathrm",
                                       "\\mathbf",
                                       "\\mathbb",
                                       "\\text{",
                                       "\\operatorname*",
                                       "\\operatorname{",
                                       "\\phantom",
                                       "\\smash",
                                       "\\boxed",
                                       "\\xrightarrow",
                                       "\\begin{pmatrix}",
                                       "\\end{pmatrix}",
                                       "\\begin{cases}",
                                       "\\end{cases}",
                                       "\\begin{aligned}",
                                       "\\end{aligned}",
                                       "\\begin{array}{l|cr}",
                                       "\\end{array}",
                                       "\\hline",
                                       "\\begin",
                                       "\\end",
                                       "\\\\",
                                       "\\\\[4pt]",
                                       "\\displaystyle",
                                       "\\scriptstyle",
                                       "\\dots",
                                       "\\ldots",
                                       "\\pmod",
                                       "\\bmod",
                                       "\\mathop",
                                       "\\hspace{2em}",
                                       "\\hspace{",
                                       "\\foo",
                                       "\\",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       "|",
                                       "\\|",
                                       "\\langle",
                                       ".",
                                       "_",
                                       "^",
                                       "'",
                                       "&",
                                       "~",
                                       "$",
                                       " ",
                                       "\\,",
                                       "\\!",
                                       "x",
                                       "A",
                                       "12",
                                       "-",
                                       "+",
                                       "=",
                                       "/",
                                       "\\alpha",
                                       "\\Gamma",
                                       "中",
                                       "𝜃",
                                       "\xFF",
                                       "\xE4",
                                       "e\xCC\x81",
                                       "\\rightarrow",
                                       "\\color",
                                       "#",
                                       "%"};

/// The formulas that are compared with TeX: sound ones to begin with.
std::vector<std::string> formulas() {
  std::ifstream in(orrery::support::source("tests/reference/tex/boxes.tsv"));
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('#')) all.push_back(line.substr(line.rfind('\t') + 1));
  return all;
}

TEST(FuzzTeX, EveryBeginningOfEveryFormula) {
  ASSERT_GE(formulas().size(), 40u);
  for (const std::string& formula : formulas())
    for (std::size_t length = 0; length <= formula.size(); ++length)
      ASSERT_NO_THROW(read_tex(formula.substr(0, length)));
}

TEST(FuzzTeX, HundredThousandRowsOfTokens) {
  Dice dice(7);
  for (int round = 0; round < 100000; ++round) ASSERT_NO_THROW(read_tex(random_tokens(dice, tokens, 14)));
}

TEST(FuzzTeX, SoundFormulasDamaged) {
  Dice dice(11);
  for (const std::string& formula : formulas())
    for (int round = 0; round < 100; ++round) ASSERT_NO_THROW(read_tex(mutated(formula, dice, tokens)));
}

TEST(FuzzTeX, OneTokenOverAndOver) {
  for (const std::string_view token : tokens) {
    std::string text;
    while (text.size() + token.size() <= exporter::math::max_source_bytes) text += token;
    ASSERT_NO_THROW(read_tex(text));
  }
}

}  // namespace
}  // namespace orrery::fuzz::tex_test
