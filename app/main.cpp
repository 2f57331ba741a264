#include <GLFW/glfw3.h>
#include <imgui.h>

#include <string>

#include "app/cli/cli.h"
#include "app/gui/window.h"

int main(int argc, char** argv) {
  const std::string glfw = glfwGetVersionString();
  orrery::cli::Program program;
  program.version = ORRERY_VERSION;
  program.window_libraries = {"GLFW " + glfw.substr(0, glfw.find(' ')),
                              std::string("ImGui ") + ImGui::GetVersion()};
  program.open_window = [](const orrery::cli::WindowRequest& asked) {
    orrery::gui::Start start;
    start.file = asked.file;
    start.study = asked.study;
    start.scale = asked.scale;
    start.theme = asked.theme;
    start.no_config = asked.no_config;
    return orrery::gui::run(start);
  };
  return orrery::cli::run(argc, argv, program);
}
