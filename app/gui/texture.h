// Pictures on the graphics card. Only the main thread, which owns the window's context, may come here.
#pragma once

#include <cstdint>
#include <span>

#include "app/figure/ink.h"
#include "app/gui/imgui_compat.h"

namespace orrery::gui {

/// Where pictures go: to OpenGL in the window.
class Textures {
 public:
  virtual ~Textures() = default;
  /// width × height pixels, bytes R G B A with straight alpha, row 0 at the top; never smoothed.
  virtual ImTextureID create(int width, int height, std::span<const std::uint8_t> rgba) = 0;
  /// What a draw list paints between two corners of the window, as a picture: `raster` device pixels to a layout unit, on
  /// an opaque ground, row 0 at the bottom.
  virtual ImTextureID paint(ImDrawList&, ImVec2 low, ImVec2 high, float raster, figure::Color ground) = 0;
  virtual void destroy(ImTextureID) = 0;
};

class GlTextures final : public Textures {
 public:
  ImTextureID create(int width, int height, std::span<const std::uint8_t> rgba) override;
  ImTextureID paint(ImDrawList&, ImVec2 low, ImVec2 high, float raster, figure::Color ground) override;
  void destroy(ImTextureID) override;
};

}  // namespace orrery::gui
