// The program's icon as the window itself shows it, where the desktop knows no icon by the window's class.
#pragma once

struct GLFWwindow;

namespace orrery::gui {

/// In the sizes that taskbars and lists of windows show; Wayland takes the icon from the desktop file alone.
void set_icon(GLFWwindow*);

}  // namespace orrery::gui
