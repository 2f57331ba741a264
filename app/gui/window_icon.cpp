#include "app/gui/window_icon.h"

#include <GLFW/glfw3.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/export/png_file.h"

namespace orrery::gui {

extern const std::span<const unsigned char> icon_files[];
extern const int icon_files_count;

void set_icon(GLFWwindow* window) {
  std::vector<exporter::PngPixels> pictures;
  for (const std::span<const unsigned char> file : std::span(icon_files, icon_files_count))
    pictures.push_back(exporter::decode_png({reinterpret_cast<const char*>(file.data()), file.size()}));
  std::vector<GLFWimage> images;
  for (exporter::PngPixels& each : pictures) images.push_back({each.width, each.height, each.rgba.data()});
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

}  // namespace orrery::gui
