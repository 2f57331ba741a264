#include "app/export/text.h"

#include <cairo.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "app/export/text_runs.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::text_test {
namespace {

using figure::TextStyle;
using figure::Voice;

const TextStyle words{Voice::words, 8, false};

TEST(SplitText, ProseAndMathematics) {
  const auto runs = split_text("a $x_i$ costs 5\\$ of $\\text{\\$}$");
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[0].text, "a ");
  EXPECT_TRUE(runs[1].math);
  EXPECT_EQ(runs[1].text, "x_i");
  EXPECT_EQ(runs[2].text, " costs 5$ of ");
  EXPECT_EQ(runs[3].text, "\\text{\\$}");
  EXPECT_EQ(plain_text("base $b=10^4$"), "base b=10^4");
  EXPECT_EQ(plain_text("$\\sigma^2 / (\\sigma^2 + \\epsilon)$"), "σ^2 / (σ^2 + ϵ)");
  EXPECT_EQ(plain_text("$2\\pi r \\nonsense\\,x$, \\sigma"), "2πr \\nonsense x, \\sigma");
  EXPECT_EQ(plain_text("$\\log_b 2$ of $b^{1-2/d}$, $10^{-4}$, $x_{ij}$"),
            "log_b 2 of b^(1-2/d), 10^-4, x_ij");
  EXPECT_EQ(plain_text("$\\sqrt{2}$, $\\sqrt{d/2}$, $\\mathrm{PE}_p$, $e^{\\mathrm{i} r}$"),
            "√2, √(d/2), PE_p, e^(i r)");
  EXPECT_EQ(plain_text("$\\bar m$, $\\hat{x}_j$, $\\tilde\\pi$"), "m\u0304, x\u0302_j, π\u0303");
  EXPECT_EQ(plain_text("${a$, $\\mathrm$"), "a, \\mathrm");
  EXPECT_EQ(plain_text("$\\lambda_4 = \\frac{2\\pi}{0.1} \\approx \\left(\\frac{1 - 2}{2\\pi}\\right)$"),
            "λ_4 = 2π/0.1 ≈ ((1 - 2)/(2π))");
  EXPECT_EQ(plain_text("$|\\hat\\varphi - \\hat s_1|$, $\\frac{1}$"), "|φ\u0302 - s\u0302_1|, 1");
}

TEST(SplitText, ADollarSignWithoutAPartnerIsOne) {
  const auto runs = split_text("5$ a");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].text, "5$ a");
  EXPECT_TRUE(split_text("").empty());
  EXPECT_TRUE(split_text("$$").empty());
  EXPECT_EQ(split_text("a\xFF").at(0).text, "a\xEF\xBF\xBD");
}

/// The ink of a label painted with its baseline's left end at (20, 40), in points; found in the pixels.
struct Ink {
  double left = 1e9, right = -1, top = 1e9, bottom = -1;
};

Ink painted(const TextSetter& text, const std::string& label, const TextStyle& style, double scale) {
  const int width = static_cast<int>(220 * scale);
  const int height = static_cast<int>(60 * scale);
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height), &cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface.get()), &cairo_destroy);
  cairo_scale(cr.get(), scale, scale);
  text.paint(cr.get(), 20, 40, label, style);
  cairo_surface_flush(surface.get());
  Ink ink;
  const unsigned char* rows = cairo_image_surface_get_data(surface.get());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const unsigned alpha = rows[y * cairo_image_surface_get_stride(surface.get()) + 4 * x + 3];
      if (alpha == 0) continue;
      ink.left = std::min(ink.left, x / scale);
      ink.right = std::max(ink.right, (x + 1) / scale);
      ink.top = std::min(ink.top, y / scale);
      ink.bottom = std::max(ink.bottom, (y + 1) / scale);
    }
  }
  return ink;
}

class TextFontTest : public ::testing::TestWithParam<figure::Fonts> {
 protected:
  void SetUp() override {
    const std::string note = english(missing_fonts_note(GetParam()));
    if (!note.empty()) GTEST_SKIP() << note;
  }
};
INSTANTIATE_TEST_SUITE_P(Faces, TextFontTest, ::testing::Values(samples::print_fonts, samples::screen_fonts),
                         [](const auto& face) { return face.index == 0 ? "print" : "screen"; });

TEST_P(TextFontTest, MeasuredWidthIsPaintedWidth) {
  const TextSetter text(GetParam());
  constexpr double scale = 30;
  const TextStyle numbers{Voice::numbers, 8, false};
  const TextStyle bold{Voice::words, 9, true};
  for (const TextStyle& style : {words, numbers, bold}) {
    // A stroke set after the label stands as much further right as the label is wide. Digits before it, so
    // that no face has a kern there.
    const double alone = painted(text, "0|", style, scale).right;
    for (const std::string label :
         {"mean partial sum ", "-0.125 ", "$b^{2i/d}$ ", "of $\\frac{1}{\\sqrt{d}}$ and $\\theta_i$ "}) {
      const double moved = painted(text, label + "0|", style, scale).right - alone;
      // An edge is found to a pixel, 1/30 pt, at either end.
      EXPECT_NEAR(moved, text.measure(label, style).width, 2 / scale) << label;
    }
  }
}

TEST_P(TextFontTest, ProportionsAreTheSameAtEveryScale) {
  const TextSetter text(GetParam());
  for (const std::string label : {"$b^{2i/d}$", "base $b^{2i/d}$ of 10"}) {
    const Ink fine = painted(text, label, words, 32);
    for (const double scale : {1.0, 2.0, 4.17, 8.0}) {
      const Ink ink = painted(text, label, words, scale);
      // One pixel of that scale at either end.
      EXPECT_NEAR(ink.right - ink.left, fine.right - fine.left, 2 / scale) << label << " at " << scale;
      EXPECT_NEAR(ink.bottom - ink.top, fine.bottom - fine.top, 2 / scale) << label << " at " << scale;
    }
  }
}

TEST_P(TextFontTest, OutlinesUnderAScaleAreTheSame) {
  const TextSetter text(GetParam());
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), &cairo_surface_destroy);
  const auto width = [&](double scale) {
    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface.get()), &cairo_destroy);
    cairo_scale(cr.get(), scale, scale);
    text.outline(cr.get(), 0, 0, "base $b^{2i/d}$", words);
    double x0, y0, x1, y1;
    cairo_path_extents(cr.get(), &x0, &y0, &x1, &y1);
    return x1 - x0;
  };
  // FreeType gives outlines to 1/64 of a device unit, at either end.
  for (const double scale : {1.0, 2.0, 4.17, 8.0})
    EXPECT_NEAR(width(scale), width(64), 2.0 / 64 / scale + 2.0 / 64 / 64);
}

TEST(TextSizeFontTest, WidthsGrowWithSizeExactly) {
  // Advances are not rounded: twice the size is twice the width. (Latin Modern Roman is drawn anew for each
  // size.)
  const std::string note = english(missing_fonts_note(samples::screen_fonts));
  if (!note.empty()) GTEST_SKIP() << note;
  const TextSetter text(samples::screen_fonts);
  const double once = text.measure("$b^{2i/d}$ 0.125", {Voice::numbers, 9.6, false}).width;
  const double twice = text.measure("$b^{2i/d}$ 0.125", {Voice::numbers, 19.2, false}).width;
  EXPECT_NEAR(twice, 2 * once, 0.02);  // Pango counts in 1/1024 pt, each of 16 glyphs
}

TEST_P(TextFontTest, CentredByItsExtentACapitalIsCentred) {
  const TextSetter text(GetParam());
  for (const TextStyle& style : {words, TextStyle{Voice::numbers, 11.5, false}}) {
    const figure::Extent extent = text.measure("H", style);
    const Ink ink = painted(text, "H", style, 30);
    EXPECT_NEAR((ink.top + ink.bottom) / 2, 40 - (extent.ascent - extent.descent) / 2, 1.0 / 30);
    // Descenders and brackets stay inside the line.
    const Ink deep = painted(text, "(gjpqy|", style, 30);
    EXPECT_LE(deep.bottom, 40 + extent.descent + 0.5);
    EXPECT_GE(deep.top, 40 - extent.ascent);
  }
}

TEST_P(TextFontTest, ALineIsAsHighWhateverItSaysUntilAFormulaNeedsMore) {
  const TextSetter text(GetParam());
  const figure::Extent empty = text.measure("", words);
  EXPECT_EQ(empty.width, 0);
  for (const std::string label : {"x", "Ag", "$2^{10}$", "中文"}) {
    EXPECT_EQ(text.measure(label, words).ascent, empty.ascent) << label;
    EXPECT_EQ(text.measure(label, words).descent, empty.descent) << label;
  }
  EXPECT_GT(text.measure("$\\sum_{i=0}^{n}\\frac{\\frac ab}{\\frac cd}$", words).ascent, empty.ascent);
}

TEST_P(TextFontTest, OneSetterForEachThread) {
  const figure::Extent expected = TextSetter(GetParam()).measure("base $b^{2i/d}$ of 旋转", words);
  std::vector<std::thread> threads;
  std::vector<double> widths(8);
  for (double& width : widths) {
    threads.emplace_back([&width, fonts = GetParam()] {
      const TextSetter text(fonts);
      for (int i = 0; i < 50; ++i) width = text.measure("base $b^{2i/d}$ of 旋转", words).width;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double width : widths) EXPECT_EQ(width, expected.width);
}

TEST(MissingFonts, AreNamed) {
  EXPECT_EQ(english(missing_fonts_note({"No Such Face", "No Such Face", "Nor This"})),
            "not installed, replaced by another typeface: No Such Face, Nor This");
}

TEST(MissingFonts, AreReplaced) {
  const TextSetter text({"No Such Face", "No Such Face", "No Such Mathematics"});
  EXPECT_GT(text.measure("angle $\\frac{\\theta}{\\sqrt 2}$", words).width, 20);
}

}  // namespace
}  // namespace orrery::exporter::text_test
