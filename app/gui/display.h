// The display that a window opens on: whether there is one, what it is called, what it can do.
#pragma once

#include <string>
#include <utility>

#include "core/tensor/complaint.h"

namespace orrery::gui {

/// GLFW, for as long as this lives.
struct Glfw {
  Glfw();
  ~Glfw();
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
  bool ready;
};

/// The surroundings name a display; whether it can be opened is another question.
bool display_named();
/// Why there is none, in one line.
Phrase no_display();

/// What paints, by its own name; where a window's context is current.
std::string renderer();
/// In hertz; 0: unknown.
double display_rate();

inline constexpr int least_width = 640, least_height = 400;
/// A window may have been kept on a larger display: it must not reach beyond this one.
std::pair<int, int> on_the_display(int width, int height);

}  // namespace orrery::gui
