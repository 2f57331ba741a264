// A sheet as pixels: painted by Cairo, packed by libpng with its resolution and its recipe.
#include <cairo.h>

#include <algorithm>
#include <cmath>

#include "app/export/cairo_canvas.h"
#include "app/export/font_lock.h"
#include "app/export/formats.h"
#include "app/export/png_file.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

constexpr int most_pixels_a_side = 30000;  // Cairo's images end at 32767
constexpr double most_pixels = 150e6;      // 600 MB while it is painted; A0 at 300 dpi has 140 million

/// The smallest whole number of pixels that holds the length; a hair over a pixel is rounding, not content.
int pixels(double points, double dpi) {
  return std::max(1, static_cast<int>(std::ceil(points * dpi / 72 - 1e-6)));
}

void check_pixels(const Sheet& sheet) {
  const double width = std::ceil(sheet.scene.width * sheet.dpi / 72);
  const double height = std::ceil(sheet.scene.height * sheet.dpi / 72);
  if (std::max(width, height) > most_pixels_a_side || width * height > most_pixels) {
    throw InvalidArgument(
        about(Subject::Kind::key, "dpi")
            .found(std::lround(sheet.dpi))
            .fault("{} makes {} pixels", std::lround(sheet.dpi),
                   std::to_string(std::lround(width)) + "×" + std::to_string(std::lround(height)))
            .led_by("; allowed are ")
            .allowed("{} a side and {} million in all", 30000, 150));
  }
}

}  // namespace

void straighten(const std::uint32_t* argb, int count, bool alpha, std::uint8_t* to) {
  for (int x = 0; x < count; ++x) {
    const unsigned a = argb[x] >> 24;
    for (const int shift : {16, 8, 0}) {
      const unsigned channel = (argb[x] >> shift) & 0xFF;
      *to++ = static_cast<std::uint8_t>(a == 0 ? 0 : std::min(255U, (channel * 255 + a / 2) / a));
    }
    if (alpha) *to++ = static_cast<std::uint8_t>(a);
  }
}

Pixels paint_pixels(const Sheet& sheet, const TextSetter& text) {
  check_pixels(sheet);
  Pixels picture{pixels(sheet.scene.width, sheet.dpi), pixels(sheet.scene.height, sheet.dpi), {}};
  // A pixel of ARGB32 is 4 bytes, and its rows have no gaps.
  picture.argb.resize(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  const SurfacePtr surface(cairo_image_surface_create_for_data(
      reinterpret_cast<unsigned char*>(picture.argb.data()), CAIRO_FORMAT_ARGB32, picture.width,
      picture.height, 4 * picture.width));
  const ContextPtr cr(cairo_create(surface.get()));
  if (!sheet.transparent) {
    const figure::Color ground = sheet.scene.background;
    cairo_set_source_rgb(cr.get(), ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
    cairo_paint(cr.get());
  }
  cairo_scale(cr.get(), sheet.dpi / 72, sheet.dpi / 72);
  CairoCanvas canvas(cr.get(), text);
  figure::paint(sheet.scene, canvas);
  cairo_surface_flush(surface.get());
  if (const auto status = cairo_status(cr.get()); status != CAIRO_STATUS_SUCCESS) {
    throw Failure(wrong("cannot paint the figure: {}", foreign(cairo_status_to_string(status))));
  }
  return picture;
}

std::string png_bytes(const Sheet& sheet, const TextSetter& text) {
  const Pixels picture = paint_pixels(sheet, text);
  PngFile file;
  file.dpi = sheet.dpi;
  file.width = picture.width;
  file.height = picture.height;
  file.alpha = sheet.transparent;
  file.row = [&](int y, std::uint8_t* to) {
    const std::uint32_t* row = picture.argb.data() + static_cast<std::ptrdiff_t>(y) * picture.width;
    straighten(row, file.width, file.alpha, to);
  };
  if (!sheet.title.empty()) file.texts.emplace_back("Title", sheet.title);
  if (!sheet.description.empty()) file.texts.emplace_back("Description", sheet.description);
  file.texts.emplace_back("Software", creator);
  if (!sheet.recipe.empty()) file.texts.emplace_back(png_keyword, sheet.recipe);
  return encode_png(file);
}

std::string png_recipe(const std::string& bytes) {
  for (const auto& [keyword, text] : png_texts(bytes)) {
    if (keyword == png_keyword) return text;
  }
  return {};
}

}  // namespace orrery::exporter
