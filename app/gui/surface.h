// What is drawn on: GLFW's window with its OpenGL context, and Dear ImGui's two back-ends.
#pragma once

#include <optional>
#include <string>

#include "app/gui/extent.h"
#include "app/gui/painter.h"
#include "app/gui/style.h"

struct GLFWwindow;

namespace orrery::gui {

class Surface {
 public:
  /// Asks for so large a window, or as large as the display has room for; its context is current from now on. Throws Failure
  /// where the display offers no OpenGL 3.3.
  Surface(int width, int height);
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  GLFWwindow* handle() const { return window_; }
  /// As it was when it was measured last: once per frame.
  const Extent& extent() const { return extent_; }
  void measure();
  /// What the display asks for.
  float content_scale() const;

  void begin_frame();
  /// What Dear ImGui has drawn, on that ground; returns when it is done, so that what a frame costs is known, not what it
  /// costs to ask for one.
  /// Coarsely: at half the display's resolution (painter.h).
  void paint(figure::Color ground, bool coarse);
  void show() const;
  /// The atlas of faces is another one.
  void renew_font_texture() const;

  /// What the desktop's list of windows says.
  void name(const std::string&);
  /// Put aside, or on a desktop that is not shown. What another window covers, nobody tells.
  bool hidden() const;
  /// Whether somebody closed it, once or more often, since this was last asked.
  bool take_close();
  void ask_for_attention() const;
  void hide() const;

 private:
  GLFWwindow* window_ = nullptr;
  Extent extent_;
  std::string named_;
  std::optional<Painter> painter_;  ///< as long as there is a context
};

}  // namespace orrery::gui
