// What Dear ImGui has drawn, on the screen: as sharply as the screen is, or at half its resolution, stretched. The current
// OpenGL context is the painter's, as long as it lives.
#pragma once

#include <imgui.h>

#include "app/gui/extent.h"
#include "app/gui/style.h"

namespace orrery::gui {

class Painter {
 public:
  Painter() = default;
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  /// Onto the framebuffer that is bound, whose size that is. Coarse, a quarter of the pixels is painted.
  void paint(ImDrawData&, Pixels size, figure::Color ground, bool coarse);

 private:
  void make_room(Pixels half);

  unsigned framebuffer_ = 0, texture_ = 0;  // for coarse pictures, once one was asked for
  Pixels room_;
};

}  // namespace orrery::gui
