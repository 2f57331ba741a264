// Where mathematics finds its font: a configuration of fontconfig with a few files in it, and no others.
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/export/math/alphabets.h"
#include "app/export/math/layout.h"
#include "app/export/math/parse.h"
#include "app/export/text.h"

namespace orrery::exporter::math::font_test {
namespace {

std::optional<std::string> file_of(const std::string& family) {
  FcPattern* wanted = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family.c_str(), nullptr);
  FcObjectSet* objects = FcObjectSetBuild(FC_FILE, nullptr);
  FcFontSet* found = FcFontList(nullptr, wanted, objects);
  std::optional<std::string> file;
  FcChar8* name = nullptr;
  if (found && found->nfont > 0 && FcPatternGetString(found->fonts[0], FC_FILE, 0, &name) == FcResultMatch)
    file = reinterpret_cast<const char*>(name);
  if (found) FcFontSetDestroy(found);
  FcObjectSetDestroy(objects);
  FcPatternDestroy(wanted);
  return file;
}

/// For its lifetime, the only fonts there are.
class OnlyFonts {
 public:
  explicit OnlyFonts(const std::vector<std::string>& files) : before_(FcConfigReference(nullptr)) {
    FcConfig* config = FcConfigCreate();
    for (const std::string& file : files)
      FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(file.c_str()));
    FcConfigSetCurrent(config);
  }
  ~OnlyFonts() {
    FcConfigSetCurrent(before_);
    FcConfigDestroy(before_);
  }
  OnlyFonts(const OnlyFonts&) = delete;
  OnlyFonts& operator=(const OnlyFonts&) = delete;

 private:
  FcConfig* before_;
};

/// Prose without a typeface: every character half an em wide.
class PlainWords final : public Words {
 public:
  double width(const std::string& text, double size) const override {
    return 0.5 * size * static_cast<double>(text.size());
  }
  void show(cairo_t*, double, double, const std::string&, double) const override {}
  void outline(cairo_t*, double, double, const std::string&, double) const override {}
};

Box formula(const MathFont& font, const char* tex) {
  return Setter(font, PlainWords(), 10).set(parse(tex), {Level::display, false});
}

constexpr const char* formulas[] = {"\\frac{x-\\mu}{\\sqrt{\\sigma^2+\\epsilon}}",
                                    "\\sum_{i=1}^{n}x_i",
                                    "\\left(\\frac{\\frac ab}{\\frac cd}\\right)",
                                    "\\widehat{AB}+\\underbrace{a+b}_{n}",
                                    "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}",
                                    "\\int_0^1 f\\,dx",
                                    "\\|x\\|",
                                    "\\mathbb{R}^d",
                                    "\\log_2 n",
                                    "f'",
                                    "A\\xrightarrow{f}B"};

// Fonts stand here one by one, which takes those of the machine: ./dev installs all of them, other systems may not have
// them, and then there is nothing to choose from: the reason of every skip below.

TEST(MathFontFontTest, TheChainIsFollowed) {
  const auto latin_modern = file_of("Latin Modern Math"), termes = file_of("TeX Gyre Termes Math"),
             last = file_of("DejaVu Math TeX Gyre");
  // ./dev installs both; other systems may not have them, and what differs between them cannot be seen in one.
  if (!latin_modern || !termes)
    GTEST_SKIP() << "Latin Modern Math and TeX Gyre Termes Math are not both here";
  {
    const OnlyFonts fonts({*latin_modern, *termes});
    EXPECT_EQ(MathFont("Latin Modern Math").family(), "Latin Modern Math");
    EXPECT_EQ(MathFont("TeX Gyre Termes Math").family(), "TeX Gyre Termes Math");
    EXPECT_EQ(MathFont("No Such Math").family(), "Latin Modern Math");
  }
  {
    const OnlyFonts fonts({*termes});
    EXPECT_EQ(MathFont("Latin Modern Math").family(), "TeX Gyre Termes Math");
    EXPECT_TRUE(MathFont("Latin Modern Math").has_math_table());
  }
  if (last) {
    const OnlyFonts fonts({*last});
    EXPECT_EQ(MathFont("Latin Modern Math").family(), "DejaVu Math TeX Gyre");
  }
}

TEST(MathFontFontTest, EveryFontOfTheChainSetsEveryConstruct) {
  int tried = 0;
  for (const std::string& family : math_families("Latin Modern Math")) {
    if (!file_of(family)) continue;
    const MathFont font(family);
    ASSERT_EQ(font.family(), family);
    for (const char* tex : formulas) {
      const Box box = formula(font, tex);
      EXPECT_TRUE(box.words.empty()) << family << " lacks a sign of " << tex;
      EXPECT_GT(box.width, 5) << family << ' ' << tex;
      EXPECT_GT(box.ascent + box.descent, 5) << family << ' ' << tex;
      for (const Box::PlacedGlyph& glyph : box.glyphs) EXPECT_NE(glyph.glyph, 0u) << family << ' ' << tex;
    }
    ++tried;
  }
  // ./dev installs them; a system without any has nothing to be asked here.
  if (tried == 0) GTEST_SKIP() << "no mathematics font is here";
}

TEST(MathFontFontTest, WithoutOneFormulasStayLegibleAndThePackageIsNamed) {
  const auto plain = file_of("DejaVu Sans");
  // ./dev installs it; the test takes all other typefaces away, and other systems may not have this one.
  if (!plain) GTEST_SKIP() << "DejaVu Sans is not here";
  const OnlyFonts fonts({*plain});
  const MathFont font("Latin Modern Math");
  EXPECT_FALSE(font.has_math_table());
  for (const char* tex : formulas) EXPECT_GT(formula(font, tex).width, 5) << tex;
  // A letter that no font has is the plain one, not a box with a number in it.
  EXPECT_EQ(font.elsewhere(in_alphabet(U'θ', Alphabet::italic)), U'θ');
  EXPECT_EQ(font.elsewhere(in_alphabet(U'W', Alphabet::bold)), U'W');
  EXPECT_EQ(font.elsewhere(U'小'), U'小');
  EXPECT_EQ(
      english(missing_fonts_note({"DejaVu Sans", "DejaVu Sans", "Latin Modern Math"})),
      "not installed, replaced by another typeface: Latin Modern Math; no font here can set mathematics: "
      "install fonts-lmodern (Latin Modern Math)");
}

TEST(MathAlphabets, EveryLetterComesBackPlain) {
  using enum Alphabet;
  for (const Alphabet each :
       {italic, upright, bold, bold_italic, blackboard, calligraphic, fraktur, sans_serif, typewriter})
    for (const char32_t letter : std::u32string(U"AZazhHRmM09ΑΩαωπθ∂ϵϖıȷ"))
      EXPECT_EQ(plain_letter(in_alphabet(letter, each)), letter) << static_cast<unsigned>(letter);
  for (const char32_t other : std::u32string(U"+∑小 ")) EXPECT_EQ(plain_letter(other), other);
}

TEST(MathFontFontTest, OneThatWasAskedForAndCannotIsNamed) {
  const auto plain = file_of("Inter");
  // As above.
  if (!plain) GTEST_SKIP() << "Inter is not here";
  const OnlyFonts fonts({*plain});
  EXPECT_EQ(english(missing_fonts_note({"Inter", "Inter", "Inter"})),
            "without a MATH table, for plain formulas: Inter");
}

TEST(MathFontFontTest, WithoutAnyFontNothingBreaks) {
  const OnlyFonts fonts({});
  const MathFont font("Latin Modern Math");
  EXPECT_FALSE(font.has_math_table());
  for (const char* tex : formulas) EXPECT_TRUE(std::isfinite(formula(font, tex).width)) << tex;
}

}  // namespace
}  // namespace orrery::exporter::math::font_test
