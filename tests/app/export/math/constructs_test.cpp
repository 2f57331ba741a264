// Every construct of LaTeX and amsmath that labels may use, and how a few of them must look.
#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/export/math/parse.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::constructs_test {
namespace {

using math::Node;
using Kind = Node::Kind;

figure::Extent formula(const std::string& tex) {
  return samples::print_text().measure_formula(tex, 10);
}

std::vector<std::string> unknown_in(const Node& node) {
  std::vector<std::string> all;
  if (node.kind == Kind::unknown) all.push_back(node.text);
  for (const Node& part : node.parts)
    for (std::string& text : unknown_in(part)) all.push_back(std::move(text));
  return all;
}

TEST(MathConstructs, AreAllKnown) {
  for (const char* tex : {
           "x_i^2{}^a_b y'' z'^2_i \\prime",
           "\\frac12\\tfrac ab\\dfrac{a}{b}\\cfrac1{2}\\binom nk\\tbinom nk\\dbinom nk",
           "\\sqrt x\\sqrt[3]{x}\\sqrt{\\frac ab}",
           "\\sum_i^n\\prod\\coprod\\int\\iint\\oint\\bigcup\\bigcap\\bigoplus\\bigotimes\\bigvee\\bigwedge",
           "\\max_{x}\\lim_{n\\to\\infty}\\limsup\\inf\\sum\\limits_i\\sum\\nolimits_i\\int\\limits_0^1",
           "\\operatorname{softmax}\\operatorname*{arg\\,max}_\\theta\\operatorname{pre-norm}",
           "\\left(x\\middle|y\\right]\\left.x\\right\\}\\left<x\\right>\\left\\lfloor x\\right\\rceil",
           "\\big(\\Big[\\bigg\\{\\Bigg\\langle\\bigl|\\Bigr\\|\\biggm/\\Biggr\\rangle",
           "\\lfloor x\\rfloor\\lceil x\\rceil\\lVert x\\rVert\\|x\\|\\lvert x\\rvert\\langle x\\rangle",
           "\\hat x\\tilde x\\bar x\\vec x\\dot x\\ddot x\\check x\\breve x\\acute x\\grave x\\mathring x",
           "\\widehat{abc}\\widetilde{abc}\\overline{ab}\\underline{ab}\\overrightarrow{AB}\\overleftarrow{"
           "AB}",
           "\\overbrace{a+b}^{n}\\underbrace{a+b}_{n}",
           "\\mathrm{ab}\\mathbf{W}\\mathbb{R}\\mathcal{L}\\mathscr{L}\\mathit{ab}\\mathsf{a}\\mathtt{a}"
           "\\mathfrak{g}",
           "\\boldsymbol{\\theta}\\bm{x}\\text{if $x>0$ then}\\textbf{b}\\textit{i}\\mbox{m}",
           "a\\,b\\:c\\;d\\!e\\ f\\quad g\\qquad h~i\\hspace{1em}j\\mspace{3mu}k\\thinspace",
           "\\begin{matrix}a&b\\\\c&d\\end{matrix}\\begin{bmatrix}1\\end{bmatrix}\\begin{vmatrix}1\\end{"
           "vmatrix}",
           "\\begin{Bmatrix}1\\end{Bmatrix}\\begin{Vmatrix}1\\end{Vmatrix}\\begin{smallmatrix}1\\end{"
           "smallmatrix}",
           "\\begin{cases}x&x>0\\\\0&\\text{else}\\end{cases}\\begin{dcases}x\\end{dcases}",
           "\\begin{aligned}a&=b\\\\[4pt]&=c\\end{aligned}\\begin{gathered}a\\\\b\\end{gathered}",
           "\\begin{array}{l|cr}\\hline 1&2&3\\\\\\hline 4&5&6\\\\\\hline\\end{array}",
           "\\stackrel{a}{=}\\overset{a}{b}\\underset{a}{b}\\sum_{\\substack{i<n\\\\j<m}}\\xrightarrow[a]{b}"
           "\\xleftarrow{c}",
           "\\phantom{x}\\hphantom{x}\\vphantom{x}\\smash{x}\\mathstrut\\boxed{x}",
           "\\not=\\not\\in\\not\\subset\\not\\Rightarrow\\not\\approx\\not x",
           "a\\bmod b\\pmod n\\mod n\\pod n",
           "\\displaystyle x\\textstyle x\\scriptstyle x\\scriptscriptstyle x",
           "\\mathop{x}\\mathbin{x}\\mathrel{x}\\mathopen{x}\\mathclose{x}\\mathord{x}\\mathpunct{x}"
           "\\mathinner{x}",
           "\\ldots\\cdots\\vdots\\ddots\\dots\\dotsc\\dotsb\\%\\#\\&\\_\\$\\{\\}",
           "\\mathrm{\\Gamma\\alpha}"
           "\\varepsilon\\vartheta\\varpi\\varrho\\varsigma\\varphi\\hat\\imath\\jmath",
       }) {
    const std::vector<std::string> unknown = unknown_in(math::parse(tex));
    EXPECT_TRUE(unknown.empty()) << tex << ": " << (unknown.empty() ? "" : unknown.front());
  }
}

TEST(MathConstructs, WhatLaTeXWouldRefuseIsShown) {
  for (const auto& [tex, shown] : std::vector<std::pair<std::string, std::string>>{
           {"a & b", "&"},
           {"a \\\\ b", "\\\\"},
           {"\\begin{nonsense}x\\end{nonsense}", "\\begin"},
           {"\\begin{matrix}a\\end{cases}", "\\end{cases}"},
           {"\\hspace{1furlong}", "\\hspace"},
           {"x^a^b", "^"},
           {"\\argmax", "\\argmax"},
           {"\\color{red}", "\\color"},
       }) {
    const std::vector<std::string> unknown = unknown_in(math::parse(tex));
    EXPECT_TRUE(std::ranges::find(unknown, shown) != unknown.end()) << tex;
  }
}

TEST(MathConstructs, ShortcutsMeanWhatTheyStandFor) {
  const auto same = [](const char* a, const char* b) {
    EXPECT_NEAR(formula(a).width, formula(b).width, 1e-9) << a << ' ' << b;
    EXPECT_NEAR(formula(a).ascent, formula(b).ascent, 1e-9) << a << ' ' << b;
  };
  same("a\\not=b", "a\\ne b");
  same("a\\not\\in b", "a\\notin b");
  same("x'", "x^{\\prime}");
  same("a,\\dots,b", "a,\\ldots,b");
  same("a+\\dots+b", "a+\\cdots+b");
  same("\\tfrac12", "\\textstyle\\frac12");
  same("\\textstyle\\dfrac12", "\\frac12");
  same("\\left(x\\right)", "\\mathinner{(x)}");
  same("\\operatorname{log}x", "\\log x");
  same("{=}", "\\mathord{=}");
  EXPECT_GT(formula("a=b").width, formula("a{=}b").width + 5);  // a relation in braces is an ordinary symbol
  EXPECT_GT(formula("\\textstyle\\sum\\limits_i").descent, formula("\\textstyle\\sum_i").descent + 2);
  EXPECT_GT(formula("\\sum\\nolimits_i").width, formula("\\sum_i").width + 2);
}

TEST(MathConstructs, GridsAreAsWideAsTheirColumnsAndStandOnTheAxis) {
  const figure::Extent two = formula("\\begin{matrix}1&2\\\\3&4\\end{matrix}");
  EXPECT_NEAR(two.width, 2 * 5 + 10, 0.01);             // two digits and twice \arraycolsep
  EXPECT_NEAR(two.ascent + two.descent, 2 * 12, 1e-9);  // two \struts
  EXPECT_NEAR((two.ascent - two.descent) / 2, 2.5, 1e-9);
  const figure::Extent open = formula("\\begin{matrix}1&2\\\\[6pt]3&4\\\\\\end{matrix}");
  EXPECT_NEAR(open.ascent + open.descent, 2 * 12 + 6, 1e-9);  // the last \\ begins no row
  EXPECT_NEAR(formula("\\begin{array}{c}1\\end{array}").width, 5 + 10, 0.01);
  // Rows of different lengths, and none at all.
  EXPECT_NEAR(formula("\\begin{matrix}1\\\\2&3&4\\end{matrix}").width, 3 * 5 + 20, 0.01);
  EXPECT_EQ(formula("\\begin{matrix}\\end{matrix}").width, 0);
}

TEST(MathConstructs, PhantomsKeepWhatTheySay) {
  const figure::Extent x = formula("\\frac ab");
  EXPECT_NEAR(formula("\\phantom{\\frac ab}").width, x.width, 1e-9);
  EXPECT_NEAR(formula("\\phantom{\\frac ab}").ascent, x.ascent, 1e-9);
  EXPECT_EQ(formula("\\hphantom{\\frac ab}").ascent, 0);
  EXPECT_EQ(formula("\\vphantom{\\frac ab}").width, 0);
  EXPECT_EQ(formula("\\smash{\\frac ab}").ascent, 0);
  EXPECT_NEAR(formula("\\smash{\\frac ab}").width, x.width, 1e-9);
}

/// Pixels of a text that are nearer to the failures' red than to its own ink.
int reddish(const std::string& text, figure::Color ink, figure::Color ground) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, 200, 60), &cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface.get()), &cairo_destroy);
  const auto source = [&](figure::Color c) {
    cairo_set_source_rgb(cr.get(), c.r / 255.0, c.g / 255.0, c.b / 255.0);
  };
  source(ground);
  cairo_paint(cr.get());
  source(ink);
  samples::print_text().paint(cr.get(), 5, 40, text, {figure::Voice::words, 20, false});
  cairo_surface_flush(surface.get());
  const unsigned char* row = cairo_image_surface_get_data(surface.get());
  int count = 0;
  for (int y = 0; y < 60; ++y, row += cairo_image_surface_get_stride(surface.get()))
    for (int x = 0; x < 200; ++x) count += row[4 * x + 2] > row[4 * x + 1] + 60;
  return count;
}

TEST(MathConstructs, UnknownCommandsHaveTheThemesColourForFailures) {
  const figure::Color black{0, 0, 0, 255}, white{255, 255, 255, 255};
  for (const auto& [ink, ground] : {std::pair{black, white}, {white, black}}) {
    EXPECT_EQ(reddish("known $x$", ink, ground), 0);
    EXPECT_GT(reddish("$x+\\nonsense$", ink, ground), 100);
  }
  EXPECT_EQ(warning_color(black), figure::light_theme().fails);
  EXPECT_EQ(warning_color(white), figure::dark_theme().fails);
  const figure::TextStyle style{figure::Voice::words, 10, false};
  EXPECT_TRUE(samples::print_text().warns("a $\\nonsense$", style));
  EXPECT_FALSE(samples::print_text().warns("\\nonsense $x$", style));  // outside mathematics it is prose
}

}  // namespace
}  // namespace orrery::exporter::constructs_test
