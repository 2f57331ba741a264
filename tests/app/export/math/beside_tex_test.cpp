// Our formulas beside pdfLaTeX's: the boxes of tests/reference/tex/boxes.tsv, which TeX measured itself with
// Latin Modern at 10 pt.
#include <cairo.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/export/samples.h"
#include "tests/support/source.h"

namespace orrery::exporter::beside_tex_test {
namespace {

struct Formula {
  std::string kind, tex;
  double width = 0, height = 0, depth = 0;
};

std::vector<Formula> formulas() {
  std::ifstream in(orrery::support::source("tests/reference/tex/boxes.tsv"));
  std::vector<Formula> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Formula formula;
    std::string style;
    std::getline(fields, formula.kind, '\t');
    std::getline(fields, style, '\t');
    fields >> formula.width >> formula.height >> formula.depth;
    fields.ignore(1);
    std::getline(fields, formula.tex);
    if (style == "text") formula.tex = "\\textstyle " + formula.tex;
    all.push_back(std::move(formula));
  }
  return all;
}

/// Points. The rules are the same, and so upright words and digits agree to 0.01; what differs is in the fonts:
///   italic corrections: lmmi10.tfm and the MATH table differ by up to 0.26 a letter (0.44 for j);
///   other drawings: ‖ is 1.02 wider in lmsy10, ℝ 0.83 wider in msbm10, 𝓛 0.80 narrower in lmsy10, the tallest
///     brace 0.83 narrower in lmex10, a prime 0.54 narrower in lmsy7;
///   signs in scripts: one growth for all of them, within 0.08 of each sign of lmsy7.
/// Heights: TeX knows sixteen for a font and gives a letter the next, so a round letter's overshoot (0.11) or
/// a 2 (0.22) is not in its boxes; + − = stand in boxes of 5.83 whatever their ink (1.4); lmex10's large
/// operators have 1.0 of air above and below (cmex10's, and Latin Modern Math's, have none).
struct Bounds {
  double width, height, depth;
};
const std::map<std::string, Bounds> bounds = {
    {"plain", {0.1, 0.3, 0.15}},        // none of these but small corrections
    {"scripts", {0.95, 0.3, 0.15}},     // two primes; the rest is within 0.6
    {"spacing", {0.8, 0.15, 0.15}},     // ℝ; a b d at +0.2 each
    {"fractions", {0.75, 1.45, 0.5}},   // small parentheses of \binom; a numerator with −
    {"roots", {0.3, 2.45, 2.4}},        // a root over a sum: the sum's 1.0, and so a smaller sign
    {"operators", {0.85, 1.05, 1.15}},  // corrections of A, j, k; lmex10's air, with it the limits' distance
    {"delimiters", {3.2, 0.15, 0.3}},   // two ‖ around, tall ones 1.6 each
    {"accents", {1.75, 0.8, 0.85}},     // a brace has only so many sizes
    {"letters", {0.8, 0.4, 0.4}},       // nine letters' corrections; ≠ is 0.36 larger than = with a stroke
    {"grids", {0.85, 0.1, 0.1}},        // the tallest brace
    {"stacks", {2.3, 1.05, 0.25}},      // an arrow's nearest size
};

class BesideTeXFontTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string note = english(missing_fonts_note(samples::print_fonts));
    // TeX's boxes are those of these fonts; ./dev installs them, other systems may not have them.
    if (!note.empty()) GTEST_SKIP() << note;
  }
};

TEST_F(BesideTeXFontTest, BoxesAreTeXs) {
  std::map<std::string, Bounds> worst;
  std::map<std::string, std::string> widest;
  int count = 0;
  for (const Formula& formula : formulas()) {
    ASSERT_TRUE(bounds.contains(formula.kind)) << formula.kind;
    const Bounds& bound = bounds.at(formula.kind);
    const figure::Extent ours = samples::print_text().measure_formula(formula.tex, 10);
    const double width = std::abs(ours.width - formula.width);
    EXPECT_NEAR(ours.width, formula.width, bound.width) << formula.tex;
    EXPECT_NEAR(ours.ascent, formula.height, bound.height) << formula.tex;
    EXPECT_NEAR(ours.descent, formula.depth, bound.depth) << formula.tex;
    Bounds& seen = worst[formula.kind];
    if (width >= seen.width) widest[formula.kind] = formula.tex;
    seen.width = std::max(seen.width, width);
    seen.height = std::max(seen.height, std::abs(ours.ascent - formula.height));
    seen.depth = std::max(seen.depth, std::abs(ours.descent - formula.depth));
    ++count;
  }
  EXPECT_GE(count, 40);
  for (const auto& [kind, seen] : worst) {
    std::printf("%-10s worst: width %.2f pt, height %.2f, depth %.2f, widest apart: %s\n", kind.c_str(),
                seen.width, seen.height, seen.depth, widest[kind].c_str());
  }
}

// Draws for a person who asks for it, into a folder that nobody else has named: BoxesAreTeXs does the checking.
TEST_F(BesideTeXFontTest, PagesForTheEye) {
  const char* folder = std::getenv("ORRERY_FORMULA_PAGES");
  if (!folder) GTEST_SKIP() << "ORRERY_FORMULA_PAGES names no folder";
  constexpr double scale = 288 / 72.27, margin = 4;
  int number = 0;
  for (const Formula& formula : formulas()) {
    const auto pixels = [&](double points) { return static_cast<int>(std::ceil(points * scale)); };
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(formula.width + 2 * margin),
                                   pixels(formula.height + formula.depth + 2 * margin)),
        &cairo_surface_destroy);
    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface.get()), &cairo_destroy);
    cairo_set_source_rgb(cr.get(), 1, 1, 1);
    cairo_paint(cr.get());
    cairo_set_source_rgb(cr.get(), 0, 0, 0);
    cairo_scale(cr.get(), scale, scale);
    samples::print_text().paint_formula(cr.get(), margin, margin + formula.height, formula.tex, 10);
    char name[16];
    std::snprintf(name, sizeof name, "/%02d.png", number++);
    ASSERT_EQ(cairo_surface_write_to_png(surface.get(), (folder + std::string(name)).c_str()),
              CAIRO_STATUS_SUCCESS);
  }
}

}  // namespace
}  // namespace orrery::exporter::beside_tex_test
