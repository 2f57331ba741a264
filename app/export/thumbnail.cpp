#include "app/export/thumbnail.h"

#include <algorithm>

#include "app/export/formats.h"
#include "app/export/setters.h"

namespace orrery::exporter {

Thumbnail thumbnail(const figure::Figure& figure, const Page& page, int most_width, int most_height) {
  const figure::Theme& theme = page.theme ? *page.theme : figure::print_theme();
  const auto text = shared_setter(theme.fonts);
  // A hair less than what fits: a fraction of a pixel more would be a whole one.
  const double pixels_per_point =
      0.999 * std::min(most_width / page.size.width, most_height / page.size.height);
  figure::LayoutOptions options;
  options.size = page.size;
  options.pixels_per_point = pixels_per_point;
  options.title = page.title;
  options.view = page.view;

  Sheet sheet;
  sheet.scene = figure::layout(figure, options, theme, *text);
  sheet.dpi = 72 * pixels_per_point;
  sheet.transparent = page.transparent;
  const Pixels painted = paint_pixels(sheet, *text);

  static_assert(sizeof(figure::Color) == 4);
  std::vector<figure::Color> pixels(painted.argb.size());
  straighten(painted.argb.data(), static_cast<int>(pixels.size()), true,
             reinterpret_cast<std::uint8_t*>(pixels.data()));
  return {{{0, 0, page.size.width, page.size.height},
           painted.width,
           painted.height,
           std::make_shared<const std::vector<figure::Color>>(std::move(pixels))},
          std::move(sheet.scene.left_out)};
}

}  // namespace orrery::exporter
