// Labels, formulas and heatmaps as textures, made once and kept while somebody draws them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/export/text.h"
#include "app/figure/scene.h"
#include "app/gui/texture.h"

namespace orrery::gui {

/// White with coverage as alpha, so that the colour is chosen when it is drawn. `warning`, where there is one, is
/// the part in the colour for failures: source that could not be set. Lengths in device pixels; the left end of the text's
/// baseline is at (origin_x, origin_y) in the picture, or, turned, its start.
struct Picture {
  ImTextureID texture{};
  ImTextureID warning{};
  int width = 0, height = 0;
  float origin_x = 0, origin_y = 0;
  figure::Extent extent;  ///< points
};

class PictureCache {
 public:
  explicit PictureCache(Textures& textures) : textures_(textures) {}
  ~PictureCache();
  PictureCache(const PictureCache&) = delete;
  PictureCache& operator=(const PictureCache&) = delete;

  const exporter::TextSetter& setter(const figure::Fonts&);
  /// `scale` is device pixels per point.
  const Picture& label(const figure::Fonts&, std::string_view text, const figure::TextStyle&, double scale,
                       bool upright = true);
  const Picture& formula(const figure::Fonts&, std::string_view tex, double size, double scale);
  ImTextureID image(const figure::Image&);
  /// What `paint(draw list)` paints between two corners of the window, as a picture that stays until the next call: what
  /// does not change costs one rectangle a frame. Row 0 at the bottom.
  template <class Paint>
  ImTextureID page(ImVec2 low, ImVec2 high, float raster, figure::Color ground, Paint&& paint) {
    ImDrawList& list = begin_page(low, high);
    paint(list);
    return end_page(low, high, raster, ground);
  }

  /// Frees what no frame has drawn for a while. Before the frame is built: all that the last one drew is on
  /// screen by then.
  void begin_frame();
  std::size_t size() const { return pictures_.size() + images_.size() + (page_ ? 1 : 0); }

 private:
  struct Kept {
    Picture picture;
    std::uint64_t used = 0;
  };
  struct KeptImage {
    ImTextureID texture{};
    std::shared_ptr<const std::vector<figure::Color>> pixels;  // keeps the address from being used again
    std::uint64_t used = 0;
  };
  /// `paint` draws the part of the text that it is told.
  template <class Paint>
  Picture rasterise(const figure::Extent&, double scale, bool upright, bool warns, Paint&&);
  void release(const Picture&);
  ImDrawList& begin_page(ImVec2 low, ImVec2 high);
  ImTextureID end_page(ImVec2 low, ImVec2 high, float raster, figure::Color ground);

  Textures& textures_;
  std::map<std::string, std::unique_ptr<exporter::TextSetter>> setters_;
  std::unordered_map<std::string, Kept> pictures_;
  std::unordered_map<const void*, KeptImage> images_;
  std::unique_ptr<ImDrawList> page_list_;  // kept: its memory serves the next page too
  ImTextureID page_{};
  std::uint64_t frame_ = 0;
};

}  // namespace orrery::gui
