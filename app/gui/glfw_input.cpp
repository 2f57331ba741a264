#include "app/gui/glfw_input.h"

#include <GLFW/glfw3.h>

#include <string_view>
#include <utility>

namespace orrery::gui {
namespace {

/// Letters and signs as this keyboard has them: Z is not in the same place everywhere.
Chord chord_of(int key, int code, int modifiers) {
  const char* name = glfwGetKeyName(key, code);
  if (name && name[0] && !name[1]) {
    if (name[0] >= 'a' && name[0] <= 'z') key = name[0] - 'a' + 'A';
    if (std::string_view("+-=").find(name[0]) != std::string_view::npos && key < 256) key = name[0];
  }
  return {static_cast<Key>(key), (modifiers & GLFW_MOD_CONTROL) != 0, (modifiers & GLFW_MOD_SHIFT) != 0,
          (modifiers & GLFW_MOD_ALT) != 0};
}

}  // namespace

GlfwInput& GlfwInput::of(GLFWwindow* window) {
  return *static_cast<GlfwInput*>(glfwGetWindowUserPointer(window));
}

void GlfwInput::push(const InputEvent& event) {
  queue.push(event);
  happened_ = true;
}

bool GlfwInput::take_happened() {
  return std::exchange(happened_, false);
}

GlfwInput::GlfwInput(GLFWwindow* window, Drop drop) : window_(window), drop_(std::move(drop)) {
  glfwSetWindowUserPointer(window, this);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    of(w).push(PointerMoved{static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    of(w).happened_ = true;
    if (!entered) of(w).push(PointerLeft{});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    of(w).push(ButtonTurned{button, action == GLFW_PRESS});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    of(w).push(WheelTurned{static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int code, int action, int modifiers) {
    if (action == GLFW_RELEASE)
      of(w).push(KeyReleased{key});
    else
      of(w).push(KeyPressed{key, chord_of(key, code, modifiers), action == GLFW_REPEAT});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
    of(w).push(TextTyped{static_cast<char32_t>(character)});
  });
  glfwSetWindowFocusCallback(
      window, [](GLFWwindow* w, int focused) { of(w).push(FocusTurned{focused == GLFW_TRUE}); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    of(w).happened_ = true;
    of(w).drop_({paths, paths + count});
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).happened_ = true; });
  glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).happened_ = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).happened_ = true; });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { of(w).happened_ = true; });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { of(w).happened_ = true; });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { of(w).happened_ = true; });
}

GlfwInput::~GlfwInput() {
  glfwSetCursorPosCallback(window_, nullptr);
  glfwSetCursorEnterCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
  glfwSetScrollCallback(window_, nullptr);
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetWindowFocusCallback(window_, nullptr);
  glfwSetDropCallback(window_, nullptr);
  glfwSetWindowRefreshCallback(window_, nullptr);
  glfwSetWindowSizeCallback(window_, nullptr);
  glfwSetFramebufferSizeCallback(window_, nullptr);
  glfwSetWindowContentScaleCallback(window_, nullptr);
  glfwSetWindowIconifyCallback(window_, nullptr);
  glfwSetWindowCloseCallback(window_, nullptr);
  glfwSetWindowUserPointer(window_, nullptr);
}

}  // namespace orrery::gui
