// Formulas on screen: each pixel of their pictures is one pixel of the display, at every scale, and what could not
// be set has the theme's colour for failures.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "app/export/text.h"
#include "app/gui/draw_list_canvas.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/style.h"

namespace orrery::gui::formula_test {
namespace {

struct Picture8 {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// Remembers what would have gone to the graphics card.
class KeptTextures final : public Textures {
 public:
  ImTextureID create(int width, int height, std::span<const std::uint8_t> rgba) override {
    made.push_back({width, height, {rgba.begin(), rgba.end()}});
    return compat::texture_id(static_cast<std::uint32_t>(made.size()));
  }
  ImTextureID paint(ImDrawList&, ImVec2, ImVec2, float, figure::Color) override { return create(1, 1, {}); }
  void destroy(ImTextureID) override { ++destroyed; }

  std::vector<Picture8> made;
  std::size_t destroyed = 0;
};

class FormulaOnScreenFontTest : public testing::TestWithParam<double> {
 protected:
  void SetUp() override {
    const std::string note = english(exporter::missing_fonts_note(theme.fonts));
    if (!note.empty()) GTEST_SKIP() << note;
    ImGui::SetCurrentContext(context);
    draw._ResetForNewFrame();
    draw.PushClipRect({0, 0}, {2000, 2000});
    draw.PushTextureID(compat::texture_id(999));
  }
  ~FormulaOnScreenFontTest() override { ImGui::DestroyContext(context); }

  void label(std::string text, bool upright = true) {
    DrawListCanvas canvas(draw, {10.3f, 20.7f}, 1.333 * GetParam(), 1, theme.fonts, pictures, triangulations);
    canvas.label({{33.3, 44.4},
                  std::move(text),
                  {figure::Voice::words, 9.6, false},
                  theme.text,
                  figure::HAlign::left,
                  figure::VAlign::baseline,
                  upright});
  }

  ImGuiContext* context = ImGui::CreateContext();
  const figure::Theme& theme = figure::dark_theme();
  ImDrawList draw{ImGui::GetDrawListSharedData()};
  KeptTextures textures;
  PictureCache pictures{textures};
  Triangulations triangulations;
};
INSTANTIATE_TEST_SUITE_P(Scales, FormulaOnScreenFontTest, testing::Values(1.0, 1.5, 2.0));

TEST_P(FormulaOnScreenFontTest, APixelOfThePictureIsAPixelOfTheDisplay) {
  for (const bool upright : {true, false}) {
    const int first = draw.VtxBuffer.Size;
    label("score $\\frac{q_m^\\top k_n}{\\sqrt{d}}$", upright);
    ASSERT_EQ(draw.VtxBuffer.Size, first + 4);
    const ImVec2 low = draw.VtxBuffer[first].pos, high = draw.VtxBuffer[first + 2].pos;
    const Picture8& picture = textures.made.back();
    EXPECT_EQ(low.x, std::round(low.x));
    EXPECT_EQ(low.y, std::round(low.y));
    EXPECT_EQ(high.x - low.x, static_cast<float>(picture.width));
    EXPECT_EQ(high.y - low.y, static_cast<float>(picture.height));
    EXPECT_EQ(draw.VtxBuffer[first].col, color(theme.text));
  }
}

TEST_P(FormulaOnScreenFontTest, NothingOfAFormulaIsCutOff) {
  label(
      "$\\left(\\frac{\\frac{a}{b}}{\\frac{c}{d}}\\right)\\int_0^1 "
      "\\widehat{f}\\,dx\\begin{pmatrix}1\\\\2\\\\3\\end{pmatrix}$");
  const Picture8& picture = textures.made.back();
  const auto alpha = [&](int x, int y) {
    return picture.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                         static_cast<std::size_t>(x)) *
                            4 +
                        3];
  };
  int ink = 0;
  for (int x = 0; x < picture.width; ++x) {
    EXPECT_EQ(alpha(x, 0), 0);
    EXPECT_EQ(alpha(x, picture.height - 1), 0);
    for (int y = 0; y < picture.height; ++y) ink += alpha(x, y) > 128;
  }
  for (int y = 0; y < picture.height; ++y) {
    EXPECT_EQ(alpha(0, y), 0);
    EXPECT_EQ(alpha(picture.width - 1, y), 0);
  }
  EXPECT_GT(ink, 100);
}

TEST_P(FormulaOnScreenFontTest, UnknownCommandsAreASecondPictureInTheColourForFailures) {
  label("$x_i$ known");
  EXPECT_EQ(textures.made.size(), 1u);
  const int first = draw.VtxBuffer.Size;
  label("$x_i+\\nonsense$");
  ASSERT_EQ(textures.made.size(), 3u);
  ASSERT_EQ(draw.VtxBuffer.Size, first + 8);
  EXPECT_EQ(draw.VtxBuffer[first].col, color(theme.text));
  EXPECT_EQ(draw.VtxBuffer[first + 4].col, color(theme.fails));
  // Neither shows what the other does.
  const auto& plain = textures.made[1].rgba;
  const auto& warning = textures.made[2].rgba;
  ASSERT_EQ(plain.size(), warning.size());
  for (std::size_t i = 3; i < plain.size(); i += 4) ASSERT_TRUE(plain[i] < 32 || warning[i] < 32);
}

TEST_P(FormulaOnScreenFontTest, IsRasterisedOnceAndFreedWhenNobodyDrawsIt) {
  for (int frame = 0; frame < 10; ++frame) {
    pictures.begin_frame();
    label("$x_i+\\nonsense$");
  }
  EXPECT_EQ(textures.made.size(), 2u);
  for (int frame = 0; frame < 300; ++frame) pictures.begin_frame();
  EXPECT_EQ(textures.destroyed, 2u);
}

}  // namespace
}  // namespace orrery::gui::formula_test
