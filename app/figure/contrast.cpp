#include "app/figure/contrast.h"

#include <algorithm>
#include <cmath>

namespace orrery::figure {

double linear_light(std::uint8_t channel) {
  const double s = channel / 255.0;
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

double luminance(Color color) {
  return 0.2126 * linear_light(color.r) + 0.7152 * linear_light(color.g) + 0.0722 * linear_light(color.b);
}

double contrast(Color a, Color b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

Color over(Color top, Color ground) {
  const auto mixed = [share = top.a / 255.0](std::uint8_t t, std::uint8_t g) {
    return static_cast<std::uint8_t>(std::lround(std::lerp(double(g), double(t), share)));
  };
  return {mixed(top.r, ground.r), mixed(top.g, ground.g), mixed(top.b, ground.b), 255};
}

}  // namespace orrery::figure
