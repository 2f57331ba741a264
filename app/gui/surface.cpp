#include "app/gui/surface.h"

#include <epoxy/gl.h>

// epoxy first: GLFW must find GL's types declared
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>

#include "app/gui/display.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/window_icon.h"
#include "core/tensor/error.h"

namespace orrery::gui {

Surface::Surface(int wanted_width, int wanted_height) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  // As the desktop file is called: by this a desktop finds the program's name and icon for its window.
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "org.orrery.Orrery");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "orrery");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "org.orrery.Orrery");
#endif
  const auto [width, height] =
      on_the_display(std::max(wanted_width, least_width), std::max(wanted_height, least_height));
  window_ = glfwCreateWindow(width, height, "Orrery", nullptr, nullptr);
  if (!window_)
    throw Failure(
        wrong("the window needs OpenGL 3.3, and this display does not offer it; "
              "`orrery render` and `orrery gallery` write figures without a window"));
  set_icon(window_);
  glfwSetWindowSizeLimits(window_, least_width, least_height, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a caret that blinks keeps the program awake
  compat::trickle_no_more();
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  painter_.emplace();
}

Surface::~Surface() {
  painter_.reset();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
}

void Surface::measure() {
  const auto asked = [this](auto question) {
    return [this, question] {
      Pixels size;
      question(window_, &size.width, &size.height);
      return size;
    };
  };
  extent_ = gui::measure(asked(glfwGetWindowSize), asked(glfwGetFramebufferSize), extent_);
}

float Surface::content_scale() const {
  float scale = 1, ignored = 1;
  glfwGetWindowContentScale(window_, &scale, &ignored);
  return scale;
}

void Surface::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  take_extent(ImGui::GetIO(), extent_);
}

void Surface::paint(figure::Color ground, bool coarse) {
  painter_->paint(*ImGui::GetDrawData(), extent_.framebuffer, ground, coarse);
  glFinish();
}

void Surface::show() const {
  glfwSwapBuffers(window_);
}

void Surface::renew_font_texture() const {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Surface::name(const std::string& name) {
  if (name == named_) return;
  named_ = name;
  glfwSetWindowTitle(window_, name.c_str());
}

bool Surface::hidden() const {
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE ||
         glfwGetWindowAttrib(window_, GLFW_VISIBLE) == GLFW_FALSE;
}

bool Surface::take_close() {
  const bool asked = glfwWindowShouldClose(window_) == GLFW_TRUE;
  if (asked) glfwSetWindowShouldClose(window_, GLFW_FALSE);
  return asked;
}

void Surface::ask_for_attention() const {
  glfwRequestWindowAttention(window_);
}

void Surface::hide() const {
  glfwHideWindow(window_);
}

}  // namespace orrery::gui
