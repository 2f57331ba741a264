#include "app/figure/color_scales.h"

#include "app/figure/contour_levels.h"
#include "app/figure/field.h"

namespace orrery::figure {

namespace {

ValueColors colors_over(const ColorScale& scale, const Field& field, const std::optional<Range>& shared,
                        const Theme& theme, const std::optional<Range>& found) {
  ColorScale settled = scale;
  if (shared) settled.range = shared;
  const Range values = settled.range ? Range{0, 1} : found ? *found : field_range(field);
  return ValueColors(settled, values, theme);
}

}  // namespace

const ColorScale* color_scale(const Mark& mark) {
  if (const auto* map = std::get_if<Heatmap>(&mark)) return &map->colors;
  const auto* contours = std::get_if<Contours>(&mark);
  return contours ? &contours->colors : nullptr;
}

bool wants_bar(const Mark& mark) {
  const auto* contours = std::get_if<Contours>(&mark);
  if (contours && !contours->filled && (contours->ink || contours->numbers)) return false;
  const ColorScale* scale = color_scale(mark);
  return scale && scale->bar;
}

ValueColors value_colors(const Mark& mark, const std::optional<Range>& shared, const Theme& theme,
                         const std::optional<Range>& found) {
  if (const auto* map = std::get_if<Heatmap>(&mark))
    return colors_over(map->colors, field_of(*map), shared, theme, found);
  const auto& contours = std::get<Contours>(mark);
  ValueColors colors = colors_over(contours.colors, field_of(contours), shared, theme, found);
  if (contours.filled) colors.set_bands(contour_levels(contours, colors.range()));
  return colors;
}

}  // namespace orrery::figure
