// How large the window is: in layout units, which the mouse counts in, and in device pixels.
#pragma once

#include <functional>

#include <imgui.h>

namespace orrery::gui {

struct Pixels {
  int width = 0, height = 0;
  bool operator==(const Pixels&) const = default;
};

struct Extent {
  Pixels window{}, framebuffer{};

  /// Device pixels to a layout unit.
  float raster() const;
  bool operator==(const Extent&) const = default;
};

/// Both sizes of one moment. They are asked for one after the other, and while a person drags the window's edge it may
/// change between two questions: then both are asked for again, and where it never rests its own size stands for both,
/// with the raster that was there before.
Extent measure(const std::function<Pixels()>& window, const std::function<Pixels()>& framebuffer,
               const Extent& before);

/// Tells Dear ImGui; after its back-end's own two questions.
void take_extent(ImGuiIO&, const Extent&);

}  // namespace orrery::gui
