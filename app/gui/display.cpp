#include "app/gui/display.h"

#include <epoxy/gl.h>

// epoxy first: GLFW must find GL's types declared
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>

namespace orrery::gui {
namespace {

constexpr const char* display_variables[] = {"DISPLAY", "WAYLAND_DISPLAY"};

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

}  // namespace

// Not asked where no display is named: Wayland's library would print a line of its own.
Glfw::Glfw() : ready(display_named() && glfwInit() == GLFW_TRUE) {}

Glfw::~Glfw() {
  if (ready) glfwTerminate();
}

bool display_named() {
  return std::ranges::any_of(display_variables, [](const char* each) { return !value_of(each).empty(); });
}

Phrase no_display() {
  std::string named;
  for (const char* each : display_variables)
    if (const std::string value = value_of(each); !value.empty())
      named += (named.empty() ? "" : ", ") + std::string(each) + "=" + value;
  return named.empty() ? words("no display to open a window on")
                       : words("the display cannot be opened: {}", named);
}

std::string renderer() {
  const GLubyte* name = glGetString(GL_RENDERER);
  return name ? reinterpret_cast<const char*>(name) : "";
}

double display_rate() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  return mode ? mode->refreshRate : 0;
}

std::pair<int, int> on_the_display(int width, int height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return {width, height};
  int x = 0, y = 0, free_width = 0, free_height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &free_width, &free_height);
  if (free_width < least_width || free_height < least_height) return {width, height};
  return {std::min(width, free_width), std::min(height, free_height)};
}

}  // namespace orrery::gui
