// Colours that can be told apart: by people with any of the common colour-vision deficiencies, and in
// greyscale.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "app/figure/color_map.h"
#include "app/figure/oklab.h"
#include "core/tensor/error.h"

namespace orrery::figure::color_test {
namespace {

using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;

Vec linear(Color c) {
  const auto one = [](std::uint8_t b) {
    const double s = b / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return {one(c.r), one(c.g), one(c.b)};
}

Vec times(const Matrix& m, const Vec& v) {
  Vec out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

/// CIELAB under D65.
Vec lab(const Vec& rgb) {
  const Vec xyz = times({{{0.4124564, 0.3575761, 0.1804375},
                          {0.2126729, 0.7151522, 0.0721750},
                          {0.0193339, 0.1191920, 0.9503041}}},
                        rgb);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double delta_e(const Vec& a, const Vec& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double luminance(Color c) {
  const Vec v = linear(c);
  return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}

double contrast(Color a, Color b) {  // WCAG 2
  const double p = luminance(a), q = luminance(b);
  return (std::max(p, q) + 0.05) / (std::min(p, q) + 0.05);
}

// Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
const struct {
  const char* name;
  Matrix matrix;
} deficiencies[] = {
    {"none", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

const Theme* const themes[] = {&dark_theme(), &light_theme(), &print_theme(), &high_contrast(dark_theme()),
                               &high_contrast(light_theme())};

TEST(Colors, FirstFourSeriesStayApart) {
  for (const Theme* theme : themes)
    for (const auto& eye : deficiencies) {
      double least = 1e9;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const auto seen = [&](std::size_t k) {
            Vec v = times(eye.matrix, linear(theme->series[k]));
            for (double& c : v) c = std::clamp(c, 0.0, 1.0);
            return lab(v);
          };
          least = std::min(least, delta_e(seen(i), seen(j)));
        }
      std::printf("%-6s %-13s least difference %.1f\n", std::string(theme->name).c_str(), eye.name, least);
      EXPECT_GE(least, 15) << theme->name << ", " << eye.name;  // about six just noticeable differences
    }
}

TEST(Colors, TextCanBeRead) {
  for (const Theme* theme : themes) {
    EXPECT_GE(contrast(theme->text, theme->background), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->secondary, theme->background), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->accent, theme->background), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->accent, theme->accent_ground), 4.5)
        << theme->name;  // a stripe's words stand on it
    EXPECT_GE(contrast(theme->holds, theme->background), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->fails, theme->background), 4.5) << theme->name;
  }
}

// WCAG 2.1: words 7 : 1 (1.4.6), what is not a word but is looked at 3 : 1 (1.4.11). A line of data is held to more.
TEST(Colors, HighContrastIsHigher) {
  for (const Theme* usual : {&dark_theme(), &light_theme()}) {
    const Theme& high = high_contrast(*usual);
    EXPECT_EQ(high.name, usual->name);
    EXPECT_EQ(high.background, usual->background);
    EXPECT_EQ(&high_contrast(high), &high);
    for (const Color word : {high.text, high.secondary, high.faint, high.accent, high.holds, high.fails})
      EXPECT_GE(contrast(word, high.background), 7) << high.name;
    EXPECT_GE(contrast(high.accent, high.accent_ground), 7) << high.name;
    EXPECT_GE(contrast(high.text, high.accent_ground), 7) << high.name;
    for (const Color line : high.series) EXPECT_GE(contrast(line, high.background), 4.5) << high.name;
    for (const Color line : {high.axis, high.outline}) EXPECT_GE(contrast(line, high.background), 4.5);
    EXPECT_GE(contrast(high.grid, high.background), 2.4) << high.name;
    EXPECT_GT(high.line_width, usual->line_width);
  }
  EXPECT_EQ(&high_contrast(print_theme()), &print_theme());
}

TEST(Colors, SequentialMapsGetSteadilyLighter) {
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis}) {
    double last = -1;
    for (int i = 0; i < 256; ++i) {
      const double lightness = to_oklab(map_color(map, i / 255.0)).L;
      EXPECT_GT(lightness, last - 0.002) << i;  // half a step of 8 bits near black
      last = lightness;
    }
    for (int i = 8; i < 256; ++i)
      EXPECT_GT(to_oklab(map_color(map, i / 255.0)).L, to_oklab(map_color(map, (i - 8) / 255.0)).L) << i;
  }
}

/// CIELAB as an eye with a deficiency sees a colour.
Vec seen(Color c, const Matrix& eye) {
  Vec v = times(eye, linear(c));
  for (double& channel : v) channel = std::clamp(channel, 0.0, 1.0);
  return lab(v);
}

double grey(Color c) {  // lightness, as a greyscale printer gives it: 0 to 100
  return 116 * std::cbrt(luminance(c)) - 16;
}

// Eighths of a map are told apart by every eye, on paper without colour too. Five just noticeable differences (2.3) are
// asked for.
TEST(Colors, MapsAreReadByEveryEyeAndInGreyscale) {
  for (const Theme* theme : themes)
    for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::diverging}) {
      const auto at = [&](int i) { return map_color(map, i / 8.0, ground_of(*theme)); };
      double least = 1e9, least_grey = 1e9;
      for (int i = 0; i < 8; ++i) {
        for (const auto& eye : deficiencies)
          least = std::min(least, delta_e(seen(at(i), eye.matrix), seen(at(i + 1), eye.matrix)));
        least_grey = std::min(least_grey, std::abs(grey(at(i + 1)) - grey(at(i))));
      }
      std::printf("%-6s map %d: least step %.1f, in grey %.1f\n", std::string(theme->name).c_str(), int(map),
                  least, least_grey);
      EXPECT_GE(least, 4.6) << theme->name;
      EXPECT_GE(least_grey, 2.3) << theme->name;
    }
}

// Half turns of the cyclic map are opposite for every eye.
TEST(Colors, OppositePhasesDifferForEveryEye) {
  for (const auto& eye : deficiencies)
    for (int i = 0; i < 32; ++i)
      EXPECT_GE(delta_e(seen(map_color(ColorMap::cyclic, i / 64.0), eye.matrix),
                        seen(map_color(ColorMap::cyclic, i / 64.0 + 0.5), eye.matrix)),
                11.5)
          << eye.name << " " << i;
}

// All six series against the ground: lines need 2 : 1 at least, and those that people meet first 3 : 1.
TEST(Colors, SeriesStandOutFromTheGround) {
  for (const Theme* theme : themes)
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_GE(contrast(theme->series[i], theme->background), i < 4 ? 3.0 : 2.0) << theme->name << " " << i;
}

TEST(Colors, PublishedEndsOfTheSequentialMaps) {
  EXPECT_EQ(map_color(ColorMap::viridis, 0), (Color{0x44, 0x01, 0x54, 255}));
  EXPECT_EQ(map_color(ColorMap::viridis, 1), (Color{0xFD, 0xE7, 0x25, 255}));
  EXPECT_EQ(map_color(ColorMap::cividis, 0), (Color{0x00, 0x22, 0x4E, 255}));
  EXPECT_EQ(map_color(ColorMap::cividis, 1), (Color{0xFE, 0xE8, 0x38, 255}));
  // viridis at one half, published as #21918C: between two anchors, so within what the eye can tell (2.3).
  EXPECT_LT(delta_e(lab(linear(map_color(ColorMap::viridis, 0.5))), lab(linear({0x21, 0x91, 0x8C, 255}))),
            2.3);
}

TEST(Colors, DivergingMapLeavesTheGroundEvenly) {
  for (const Ground ground : {Ground::light, Ground::dark}) {
    const auto at = [&](double t) { return map_color(ColorMap::diverging, t, ground); };
    const double away = ground == Ground::light ? -1 : 1;  // from the ground's lightness
    for (int i = 1; i <= 127; ++i) {
      const double inner = (i - 1) / 254.0, outer = i / 254.0;
      for (const double side : {-1.0, 1.0})
        EXPECT_GT(away * to_oklab(at(0.5 + side * outer)).L,
                  away * to_oklab(at(0.5 + side * inner)).L - 0.003);
      EXPECT_NEAR(to_oklab(at(0.5 - outer)).L, to_oklab(at(0.5 + outer)).L,
                  0.02);  // 8-bit steps and the gamut's edge
    }
    for (const auto& eye : deficiencies)
      EXPECT_GE(delta_e(lab(times(eye.matrix, linear(at(0.1)))), lab(times(eye.matrix, linear(at(0.9))))), 15)
          << eye.name;
  }
}

// Zero does not glare: its colour is the ground's, nearly. A masked cell is neither: four times what the eye
// can just tell (2.3) from both.
TEST(Colors, ZeroIsQuietAndMaskedIsNeither) {
  for (const Theme* theme : themes) {
    ColorScale scale;
    scale.map = ColorMap::diverging;
    const Color neutral = ValueColors(scale, {-1, 1}, *theme)(0);
    EXPECT_LT(std::abs(to_oklab(neutral).L - to_oklab(theme->background).L), 0.05) << theme->name;
    EXPECT_GT(delta_e(lab(linear(theme->masked)), lab(linear(neutral))), 9.2) << theme->name;
    EXPECT_GT(delta_e(lab(linear(theme->masked)), lab(linear(theme->background))), 9.2) << theme->name;
  }
}

TEST(Colors, CyclicMapCloses) {
  EXPECT_LT(delta_e(lab(linear(map_color(ColorMap::cyclic, 0))), lab(linear(map_color(ColorMap::cyclic, 1)))),
            1);
  double longest = 0, shortest = 1e9;
  for (int i = 0; i < 64; ++i) {
    const double d = delta_e(lab(linear(map_color(ColorMap::cyclic, i / 64.0))),
                             lab(linear(map_color(ColorMap::cyclic, (i + 1) / 64.0))));
    longest = std::max(longest, d);
    shortest = std::min(shortest, d);
  }
  EXPECT_GT(shortest, 2.3);            // every sixty-fourth of a turn can be told from the next
  EXPECT_LT(longest / shortest, 4.0);  // and none of them looks like an edge
}

TEST(Colors, OkLabRoundTrip) {
  for (int r = 0; r < 256; r += 17)
    for (int g = 0; g < 256; g += 17)
      for (int b = 0; b < 256; b += 17) {
        const Color c{std::uint8_t(r), std::uint8_t(g), std::uint8_t(b), 255};
        EXPECT_EQ(from_oklab(to_oklab(c)), c);
      }
  // Ottosson's published pairs: white, and sRGB red.
  EXPECT_NEAR(to_oklab({255, 255, 255, 255}).L, 1, 1e-6);
  EXPECT_NEAR(to_oklab({255, 0, 0, 255}).L, 0.62796, 1e-5);
  EXPECT_NEAR(to_oklab({255, 0, 0, 255}).a, 0.22486, 1e-5);
  EXPECT_NEAR(to_oklab({255, 0, 0, 255}).b, 0.12585, 1e-5);
}

TEST(Colors, WhatIsNoValueHasNoValuesColour) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Theme* theme : themes)
    for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::diverging}) {
      ColorScale scale;
      scale.map = map;
      const ValueColors colors(scale, {-2, 1}, *theme);
      EXPECT_EQ(colors(-inf), theme->masked);
      EXPECT_EQ(colors(std::nan("")), theme->bad);
      const Ground ground = ground_of(*theme);
      EXPECT_EQ(colors(inf), map_color(map, 1, ground));
      for (int i = 0; i < 256; ++i) {
        EXPECT_GT(delta_e(lab(linear(map_color(map, i / 255.0, ground))), lab(linear(theme->masked))), 4.6)
            << theme->name;
        EXPECT_GT(delta_e(lab(linear(map_color(map, i / 255.0, ground))), lab(linear(theme->bad))), 15)
            << theme->name << i;
      }
    }
}

TEST(Colors, DivergingIsNeutralAtItsCentre) {
  ColorScale scale;
  scale.map = ColorMap::diverging;
  EXPECT_EQ(ValueColors(scale, {-2, 1}, light_theme()).range(), (Range{-2, 2}));
  EXPECT_EQ(ValueColors(scale, {-2, 1}, light_theme())(0), map_color(ColorMap::diverging, 0.5));
  scale.range = Range{-1, 5};
  EXPECT_EQ(ValueColors(scale, {0, 1}, light_theme())(0), map_color(ColorMap::diverging, 0.5));
}

TEST(Theme, NamesAndInks) {
  EXPECT_EQ(theme_names().size(), 3u);
  for (const std::string_view name : theme_names()) EXPECT_EQ(theme_by_name(name).name, name);
  EXPECT_THROW(theme_by_name("sepia"), InvalidArgument);
  EXPECT_EQ(dark_theme().background, (Color{0x0E, 0x12, 0x17, 255}));
  EXPECT_EQ(light_theme().color({Role::accent, 0, 1}), (Color{0x8F, 0x62, 0x00, 255}));
  EXPECT_EQ(light_theme().color(series(6)), light_theme().color(series(0)));
  EXPECT_EQ(light_theme().color(series(-1)), light_theme().color(series(5)));
  EXPECT_EQ(light_theme().color({Role::series, 0, 0.5}).a, 128);
}

}  // namespace
}  // namespace orrery::figure::color_test
