#include "app/gui/extent.h"

#include <algorithm>
#include <cmath>

namespace orrery::gui {
namespace {

constexpr int patience = 4;                            // a window that is dragged rests between two events
constexpr float least_raster = 0.5f, most_raster = 8;  // of any display there is

}  // namespace

float Extent::raster() const {
  if (window.width <= 0 || framebuffer.width <= 0) return 1;
  return std::clamp(static_cast<float>(framebuffer.width) / static_cast<float>(window.width), least_raster,
                    most_raster);
}

Extent measure(const std::function<Pixels()>& window, const std::function<Pixels()>& framebuffer,
               const Extent& before) {
  Pixels size = window();
  for (int tried = 0; tried < patience; ++tried) {
    const Pixels pixels = framebuffer(), again = window();
    if (size == again) return {size, pixels};
    size = again;
  }
  const auto scaled = [&](int units) {
    return static_cast<int>(std::lround(static_cast<float>(units) * before.raster()));
  };
  return {size, {scaled(size.width), scaled(size.height)}};
}

void take_extent(ImGuiIO& io, const Extent& extent) {
  io.DisplaySize = {static_cast<float>(extent.window.width), static_cast<float>(extent.window.height)};
  io.DisplayFramebufferScale = {extent.raster(), extent.raster()};
}

}  // namespace orrery::gui
