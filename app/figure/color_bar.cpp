#include "app/figure/color_bar.h"

#include "app/figure/path.h"

namespace orrery::figure {

namespace {

constexpr double gap_of_bar = 1.1, bar_width = 0.9;  // text sizes
constexpr int steps = 256;

}  // namespace

Axis bar_axis(const ColorScale& colors) {
  Axis axis;
  axis.label = colors.label;
  if (colors.map == ColorMap::cyclic) axis.ticks = TickHint::pi;  // what comes round is an angle
  return axis;
}

double bar_thickness(const AxisGuide& guide, const Axis& axis, const Theme& theme,
                     const TextMetrics& metrics) {
  return bar_width * theme.text_size + thickness(guide, axis, Side::right, theme, metrics);
}

double bar_gap(const Theme& theme) {
  return gap_of_bar * theme.text_size;
}

void draw_color_bar(const ColorBar& drawn, const Theme& theme, const TextMetrics& metrics, Scene& scene) {
  const Rect bar{drawn.x, drawn.down.lo, bar_width * theme.text_size, drawn.down.length()};
  const Range range = drawn.colors.range();
  auto pixels = std::make_shared<std::vector<Color>>();
  for (int i = 0; i < steps; ++i)
    pixels->push_back(drawn.colors(range.hi - (i + 0.5) / steps * range.length()));
  scene.primitives.emplace_back(Image{bar, 1, steps, std::move(pixels)});
  scene.primitives.emplace_back(outline(bar, theme.axis, theme.axis_width));
  draw_axis({drawn.guide, drawn.axis, bar, Side::right}, true, theme, metrics, scene);
}

}  // namespace orrery::figure
