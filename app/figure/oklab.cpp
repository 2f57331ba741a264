#include "app/figure/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/figure/contrast.h"

namespace orrery::figure {

namespace {

using Rgb = std::array<double, 3>;  // linear light

std::uint8_t to_byte(double linear) {
  const double l = std::clamp(linear, 0.0, 1.0);
  const double s = l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
  return std::uint8_t(s * 255 + 0.5);
}

Rgb linear_rgb(const OkLab& c) {
  const double l = std::pow(c.L + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
  const double m = std::pow(c.L - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
  const double s = std::pow(c.L - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool in_gamut(const Rgb& c) {
  return std::all_of(c.begin(), c.end(), [](double v) { return v > -1e-4 && v < 1 + 1e-4; });
}

}  // namespace

OkLab to_oklab(Color color) {
  const double r = linear_light(color.r), g = linear_light(color.g), b = linear_light(color.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color from_oklab(OkLab c) {
  Rgb rgb = linear_rgb(c);
  if (!in_gamut(rgb)) {
    double inside = 0, outside = 1;  // share of the chroma
    for (int i = 0; i < 20; ++i) {
      const double share = (inside + outside) / 2;
      (in_gamut(linear_rgb({c.L, c.a * share, c.b * share})) ? inside : outside) = share;
    }
    rgb = linear_rgb({c.L, c.a * inside, c.b * inside});
  }
  return {to_byte(rgb[0]), to_byte(rgb[1]), to_byte(rgb[2]), 255};
}

OkLab from_polar(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * std::numbers::pi / 180;
  return {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
}

}  // namespace orrery::figure
