#include "app/gui/imgui_compat.h"

#include <imgui_internal.h>  // the public part cannot take the keyboard from a field

namespace orrery::gui::compat {

void leave_field() {
  ImGui::ClearActiveID();
}

}  // namespace orrery::gui::compat
