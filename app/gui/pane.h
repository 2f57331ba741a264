// A pane: a window of Dear ImGui that fills a box and cannot be moved.
#pragma once

#include <algorithm>

#include "app/gui/ui.h"

namespace orrery::gui {

/// Its contents begin below the padding.
template <class Contents>
void pane(const char* name, ImVec2 low, ImVec2 high, figure::Color ground, ImVec2 padding,
          ImGuiWindowFlags flags, Contents&& contents) {
  constexpr ImGuiWindowFlags fixed =
      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
      ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
      // One that comes (a figure's foot, the tray) closes no field that is typed into.
      ImGuiWindowFlags_NoFocusOnAppearing;
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize({std::max(1.0f, high.x - low.x), std::max(1.0f, high.y - low.y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color(ground));
  ImGui::Begin(name, nullptr, fixed | flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  contents();
  ImGui::End();
}

}  // namespace orrery::gui
