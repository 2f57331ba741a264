#include "app/gui/picture_cache.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>

#include "app/gui/number_text.h"
#include "core/tensor/remembered.h"

namespace orrery::gui {
namespace {

constexpr std::uint64_t kept_frames = 240;
constexpr int largest_side = 4096;  // what every OpenGL 3 driver takes

struct CairoSurface {
  cairo_surface_t* surface;
  cairo_t* context;
  CairoSurface(int width, int height)
      : surface(cairo_image_surface_create(CAIRO_FORMAT_A8, width, height)), context(cairo_create(surface)) {}
  ~CairoSurface() {
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }
  CairoSurface(const CairoSurface&) = delete;
  CairoSurface& operator=(const CairoSurface&) = delete;
};

std::string key_of(const figure::Fonts& fonts) {
  return fonts.words + '|' + fonts.numbers + '|' + fonts.math;
}

}  // namespace

PictureCache::~PictureCache() {
  for (auto& [key, kept] : pictures_) release(kept.picture);
  for (auto& [key, kept] : images_) textures_.destroy(kept.texture);
  if (page_) textures_.destroy(page_);
}

ImDrawList& PictureCache::begin_page(ImVec2 low, ImVec2 high) {
  if (!page_list_) page_list_ = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
  page_list_->_ResetForNewFrame();
  page_list_->PushTextureID(ImGui::GetIO().Fonts->TexID);
  page_list_->PushClipRect(low, high);
  return *page_list_;
}

ImTextureID PictureCache::end_page(ImVec2 low, ImVec2 high, float raster, figure::Color ground) {
  page_list_->PopClipRect();
  page_list_->PopTextureID();
  // The frame before may still show the old one; it is on the screen by now.
  if (page_) textures_.destroy(page_);
  return page_ = textures_.paint(*page_list_, low, high, raster, ground);
}

void PictureCache::release(const Picture& picture) {
  textures_.destroy(picture.texture);
  if (picture.warning) textures_.destroy(picture.warning);
}

const exporter::TextSetter& PictureCache::setter(const figure::Fonts& fonts) {
  auto& setter = setters_[key_of(fonts)];
  if (!setter) setter = std::make_unique<exporter::TextSetter>(fonts);
  return *setter;
}

// Ink may leave the line's box (italics, tall formulas), so the picture has room around it.
template <class Paint>
Picture PictureCache::rasterise(const figure::Extent& extent, double scale, bool upright, bool warns,
                                Paint&& paint) {
  const double room = std::ceil(0.35 * (extent.ascent + extent.descent) * scale) + 1;
  const double above = std::ceil(extent.ascent * scale) + room,
               below = std::ceil(extent.descent * scale) + room;
  const double across = std::ceil(extent.width * scale) + 2 * room;
  Picture made;
  made.extent = extent;
  made.width = std::clamp(static_cast<int>(upright ? across : above + below), 1, largest_side);
  made.height = std::clamp(static_cast<int>(upright ? above + below : across), 1, largest_side);
  made.origin_x = static_cast<float>(upright ? room : above);
  made.origin_y = static_cast<float>(upright ? above : across - room);

  const auto texture_of = [&](exporter::TextPart part) {
    const CairoSurface surface(made.width, made.height);
    cairo_translate(surface.context, made.origin_x, made.origin_y);
    if (!upright) cairo_rotate(surface.context, -std::acos(0.0));
    cairo_scale(surface.context, scale, scale);
    cairo_set_source_rgba(surface.context, 1, 1, 1, 1);
    paint(surface.context, part);
    cairo_surface_flush(surface.surface);

    const unsigned char* coverage = cairo_image_surface_get_data(surface.surface);
    const int stride = cairo_image_surface_get_stride(surface.surface);
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(made.width) * made.height * 4, 255);
    for (int y = 0; y < made.height; ++y)
      for (int x = 0; x < made.width; ++x)
        rgba[(static_cast<std::size_t>(y) * made.width + x) * 4 + 3] =
            coverage ? coverage[y * stride + x] : 0;
    return textures_.create(made.width, made.height, rgba);
  };
  made.texture = texture_of(exporter::TextPart::plain);
  if (warns) made.warning = texture_of(exporter::TextPart::warning);
  return made;
}

const Picture& PictureCache::label(const figure::Fonts& fonts, std::string_view text,
                                   const figure::TextStyle& style, double scale, bool upright) {
  const std::string key =
      key_of(fonts) +
      formatted("|%d|%g|%d|%g|%d|", static_cast<int>(style.voice), style.size, style.bold, scale, upright) +
      std::string(text);
  Kept& kept = tensor::remembered(pictures_, key, [&] {
    const exporter::TextSetter& set = setter(fonts);
    return Kept{rasterise(
        set.measure(text, style), scale, upright, set.warns(text, style),
        [&](cairo_t* context, exporter::TextPart part) { set.paint(context, 0, 0, text, style, part); })};
  });
  kept.used = frame_;
  return kept.picture;
}

const Picture& PictureCache::formula(const figure::Fonts& fonts, std::string_view tex, double size,
                                     double scale) {
  const std::string key = key_of(fonts) + formatted("|formula|%g|%g|", size, scale) + std::string(tex);
  Kept& kept = tensor::remembered(pictures_, key, [&] {
    const exporter::TextSetter& set = setter(fonts);
    return Kept{rasterise(set.measure_formula(tex, size), scale, true, set.formula_warns(tex, size),
                          [&](cairo_t* context, exporter::TextPart part) {
                            set.paint_formula(context, 0, 0, tex, size, part);
                          })};
  });
  kept.used = frame_;
  return kept.picture;
}

ImTextureID PictureCache::image(const figure::Image& image) {
  KeptImage& kept = tensor::remembered(images_, image.pixels.get(), [&] {
    static_assert(sizeof(figure::Color) == 4);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(image.pixels->data());
    return KeptImage{textures_.create(image.width, image.height, {bytes, image.pixels->size() * 4}),
                     image.pixels};
  });
  kept.used = frame_;
  return kept.texture;
}

void PictureCache::begin_frame() {
  ++frame_;
  std::erase_if(pictures_, [&](const auto& entry) {
    const bool old = entry.second.used + kept_frames < frame_;
    if (old) release(entry.second.picture);
    return old;
  });
  // Heatmaps are large and change as a whole: they go as soon as a frame did without them.
  std::erase_if(images_, [&](const auto& entry) {
    const bool old = entry.second.used + 2 < frame_;
    if (old) textures_.destroy(entry.second.texture);
    return old;
  });
}

}  // namespace orrery::gui
