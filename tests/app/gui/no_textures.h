// Pictures without a graphics card: kept for whoever asks what was made of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/gui/texture.h"

namespace orrery::gui {

class NoTextures final : public Textures {
 public:
  ImTextureID create(int width, int height, std::span<const std::uint8_t> rgba) override {
    created = {width, height, {rgba.begin(), rgba.end()}};
    return compat::texture_id(++made_);
  }
  ImTextureID paint(ImDrawList& list, ImVec2, ImVec2, float, figure::Color) override {
    painted.assign(list.VtxBuffer.begin(), list.VtxBuffer.end());
    return compat::texture_id(++made_);
  }
  void destroy(ImTextureID) override { ++destroyed_; }
  std::uint32_t alive() const { return made_ - destroyed_; }

  /// What was made last.
  struct Created {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  ///< row 0 at the top
  } created;
  std::vector<ImDrawVert> painted;  ///< the corners of what was painted last

 private:
  std::uint32_t made_ = 0, destroyed_ = 0;
};

}  // namespace orrery::gui
