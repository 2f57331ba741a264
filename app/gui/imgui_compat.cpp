#include "app/gui/imgui_compat.h"

#include <imgui_internal.h>  // the public part can neither end a field nor see which popups are open

namespace orrery::gui::compat {

void leave_field() {
  ImGui::ClearActiveID();
}

void close_abandoned_popups() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  for (int i = 0; i < context.OpenPopupStack.Size; ++i) {
    const ImGuiWindow* window = context.OpenPopupStack[i].Window;  // none yet where it was asked for just now
    if (window && !window->WasActive) return ImGui::ClosePopupToLevel(i, false);
  }
}

bool begin_modal(const char* name, ImGuiWindowFlags flags) {
  const bool shown = ImGui::BeginPopupModal(name, nullptr, flags);
  if (ImGuiWindow* window = ImGui::FindWindowByName(name); window && window->Active) window->WasActive = true;
  return shown;
}

}  // namespace orrery::gui::compat
