// What GLFW says of the window, kept in its order.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "app/gui/input_queue.h"

struct GLFWwindow;

namespace orrery::gui {

class GlfwInput {
 public:
  using Drop = std::function<void(const std::vector<std::filesystem::path>&)>;
  /// Takes the window's callbacks and its user pointer for as long as it lives.
  GlfwInput(GLFWwindow*, Drop);
  ~GlfwInput();
  GlfwInput(const GlfwInput&) = delete;
  GlfwInput& operator=(const GlfwInput&) = delete;

  InputQueue queue;
  /// Whether anything at all came since this was asked last: input, or a window that was uncovered, moved or resized.
  bool take_happened();

 private:
  static GlfwInput& of(GLFWwindow*);
  void push(const InputEvent&);

  GLFWwindow* window_;
  Drop drop_;
  bool happened_ = false;
};

}  // namespace orrery::gui
