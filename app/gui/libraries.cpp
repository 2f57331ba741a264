#include "app/gui/libraries.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

namespace orrery::gui {

std::vector<std::string> libraries() {
  // GLFW names its window systems behind the version; the version is enough.
  const std::string glfw = glfwGetVersionString();
  return {"GLFW " + glfw.substr(0, glfw.find(' ')), std::string("ImGui ") + ImGui::GetVersion()};
}

}  // namespace orrery::gui
