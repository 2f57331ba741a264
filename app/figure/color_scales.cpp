#include "app/figure/color_scales.h"

#include <utility>

#include "app/figure/contour_levels.h"
#include "app/figure/field.h"
#include "app/figure/mark_facts.h"

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
  return facts(mark).colors.get();
}

ColorScale* color_scale(Mark& mark) {
  return const_cast<ColorScale*>(color_scale(std::as_const(mark)));
}

bool wants_bar(const Mark& mark) {
  const auto* contours = std::get_if<Contours>(&mark);
  if (contours && !contours->filled && (contours->ink || contours->numbers)) return false;
  const ColorScale* scale = color_scale(mark);
  return scale && scale->bar;
}

ValueColors value_colors(const Mark& mark, const std::optional<Range>& shared, const Theme& theme,
                         const std::optional<Range>& found) {
  ValueColors colors = colors_over(*color_scale(mark), *field_of(mark), shared, theme, found);
  if (const auto* contours = std::get_if<Contours>(&mark); contours && contours->filled)
    colors.set_bands(contour_levels(*contours, colors.range()));
  return colors;
}

}  // namespace orrery::figure
