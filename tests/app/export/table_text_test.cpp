// Tables for a text.
#include "app/export/table_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/export/export.h"

namespace orrery::exporter::table_text_test {
namespace {

using figure::Table;

Table table() {
  return {"by_pair",
          {{"pair", "", {0, 1, 2}, 6},
           {"$|\\theta_i|$ of a|b", "rad", {0.1, -1.0 / 3, 2.5e-8}, 4},
           {"left_out", "tokens", {500000, std::nan(""), -INFINITY}, 6}}};
}

TEST(TableText, MarkdownHasUnitsAndTheDigitsShown) {
  EXPECT_EQ(markdown_table(table(), {}),
            "| pair | $\\vert \\theta_i\\vert $ of a\\|b / rad | left\\_out / tokens |\n"
            "| --: | --: | --: |\n"
            "| 0 | 0.1000 | 500\u2009000 |\n"
            "| 1 | \u22120.3333 | NaN |\n"
            "| 2 | 2.500 × 10⁻⁸ | \u2212\u221E |\n");
}

/// A row for each of some models, whose names need care in every notation.
Table of_words() {
  return {"models",
          {{.name = "model", .values = {1, 2}, .words = {"a_b | \"c\", d", "$x^2$ & 5 %"}},
           {.name = "layers", .values = {12, 32}}}};
}

TEST(TableText, WordsBeginAtTheLeft) {
  EXPECT_EQ(markdown_table(of_words(), {}),
            "| model | layers |\n| :-- | --: |\n| a\\_b \\| \"c\", d | 12 |\n| $x^2$ & 5 % | 32 |\n");
  const std::string tex = latex_table(of_words(), {}, "t");
  EXPECT_NE(tex.find("\\begin{tabular}{lr}"), tex.npos) << tex;
  EXPECT_NE(tex.find("a\\_b $|$ \\texttt{\\char34}c\\texttt{\\char34}, d & $12$ \\\\"), tex.npos) << tex;
  EXPECT_NE(tex.find("$x^2$ \\& 5 \\% & $32$"), tex.npos) << tex;
}

TEST(TableText, ADollarSignThatWasTypedBeginsNoFormula) {
  const Table typed{"words", {{.name = "word", .values = {1}, .words = {"\\$x\\$"}}}};
  EXPECT_EQ(markdown_table(typed, {}), "| word |\n| :-- |\n| \\$x\\$ |\n");
}

/// Tokens of BERT: \midrule[CLS] asks for a rule of the thickness CLS, \\* is another end of a row.
TEST(TableText, ARowMayBeginWithABracketOrAStar) {
  const Table tokens{"changes",
                     {{.name = "word", .values = {0, 0, 0, 0}, .words = {"[CLS]", "*bites*", "", "--a"}},
                      {.name = "n", .values = {1, 2, 3, 4}}}};
  const std::string tex = latex_table(tokens, {}, "t");
  EXPECT_NE(tex.find("\\midrule\n{}[CLS] & $1$ \\\\\n{}*bites* & $2$ \\\\\n & $3$ \\\\\n-{}-a & $4$ \\\\\n"),
            tex.npos)
      << tex;
}

TEST(TableText, MarkdownSaysItsCaptionBelow) {
  EXPECT_TRUE(
      markdown_table(table(), "Two $\\theta$ of three.").ends_with("\n\nTable: Two $\\theta$ of three.\n"));
}

TEST(TableText, LatexHasTheRulesOfBooktabs) {
  EXPECT_EQ(latex_table(table(), {}, "angles"),
            "% A table made by Orrery: by_pair\n"
            "% In a document: \\usepackage{booktabs} … \\input{angles}\n"
            "\\begin{tabular}{rrr}\n\\toprule\n"
            "pair & $|\\theta_i|$ of a$|$b / rad & left\\_out / tokens \\\\\n\\midrule\n"
            "$0$ & $0.1000$ & $500\\,000$ \\\\\n"
            "$1$ & $-0.3333$ & NaN \\\\\n"
            "$2$ & $2.500 \\times 10^{-8}$ & $-\\infty$ \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
}

TEST(TableText, ACaptionMakesAFloat) {
  const std::string tex = latex_table(table(), "100 % of it.", "t");
  EXPECT_NE(tex.find("\\begin{table}[tbp]\n\\centering\n\\caption{100 \\% of it.}\n\\begin{tabular}"),
            tex.npos)
      << tex;
  EXPECT_TRUE(tex.ends_with("\\end{tabular}\n\\end{table}\n"));
}

TEST(TableText, WhatNoPageHoldsGoesOn) {
  Table rows{"many", {{"row", "", {}, 6}}};
  for (int i = 0; i < 41; ++i) rows.columns[0].values.push_back(i);
  const std::string tex = latex_table(rows, "Many.", "t");
  EXPECT_NE(tex.find("\\usepackage{booktabs,longtable}"), tex.npos);
  EXPECT_NE(tex.find("\\begin{longtable}{r}\n\\caption{Many.} \\\\\n\\toprule"), tex.npos) << tex;
  EXPECT_LT(tex.find("\\endfirsthead"), tex.find("\\endhead")) << "and has its caption once";
  EXPECT_EQ(tex.find("\\caption"), tex.rfind("\\caption"));
  EXPECT_EQ(tex.find("\\begin{table}"), tex.npos) << "no float is longer than a page";
  rows.columns[0].values.pop_back();
  EXPECT_EQ(latex_table(rows, {}, "t").find("longtable"), tex.npos);
}

TEST(TableText, AWideOneHasHeadsInLinesAndSmallerLetters) {
  Table wide{"wide", {}};
  for (int j = 0; j < 8; ++j)
    wide.columns.push_back({"$|\\theta_i|$ of the layer", "rad / token", {0.5 + j}, 4});
  const std::string tex = latex_table(wide, {}, "t");
  EXPECT_NE(tex.find("\\shortstack[r]{$|\\theta_i|$\\\\of the\\\\layer\\\\/ rad\\\\/ token} & "), tex.npos)
      << tex;
  EXPECT_NE(tex.find("\\ifdim\\wd0>\\linewidth\\small"), tex.npos);
  EXPECT_NE(tex.find("\n\\noindent\n\\begin{tabular}{rrrrrrrr}\n\\toprule"), tex.npos);
  EXPECT_TRUE(tex.ends_with("\\end{tabular}\n\\endgroup\n"));
  const std::string floats = latex_table(wide, "Wide.", "t");
  EXPECT_LT(floats.find("\\caption{Wide.}"), floats.find("\\begingroup"))
      << "the caption is as large as all others";
  wide.columns[0].name = "original_max_position";
  EXPECT_NE(latex_table(wide, {}, "t").find("\\shortstack[r]{original\\_\\\\max\\_\\\\position\\\\/ rad"),
            std::string::npos);
  wide.columns.resize(1);
  EXPECT_EQ(latex_table(wide, {}, "t").find("shortstack"), std::string::npos);
}

TEST(TableText, LongWordsMayBreak) {
  const std::string settings =
      "q=-1.7676060270976697,0.687041594878216;-1.1199069278036113 model.layers_0.weight";
  Table words{"links",
              {{.name = "study", .values = {0}, .words = {"attention/steps"}},
               {.name = "settings", .values = {0}, .words = {settings}}}};
  const std::string tex = latex_table(words, {}, "t");
  EXPECT_NE(
      tex.find(
          "linewidth}{\\raggedright\\strut q=-1.7676060270976697,\\allowbreak{}0.687041594878216;\\allowbreak{}-1.1199"),
      tex.npos)
      << tex;
  EXPECT_NE(tex.find("model.\\allowbreak{}layers\\_\\allowbreak{}0.\\allowbreak{}weight"), tex.npos) << tex;
}

TEST(TableText, WordsOfOtherScriptsAskForTheirLetters) {
  const Table chinese{"t", {{"位置", "", {1}, 6}}};
  const std::string tex = latex_table(chinese, {}, "t");
  EXPECT_NE(tex.find("% Some words need XeLaTeX"), tex.npos);
  EXPECT_NE(tex.find("\\def\\orreryLetters"), tex.npos);
}

}  // namespace
}  // namespace orrery::exporter::table_text_test
