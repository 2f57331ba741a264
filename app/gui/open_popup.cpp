#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void OpenPopup::draw(App& app, Ui& ui) {
  if (wanted_) ImGui::OpenPopup("open file");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(18)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::BeginPopupModal("open file", nullptr,
                             ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize)) {
    section_head(ui, "Open a recipe, or a figure made here");
    gap(ui, 6);
    ImGui::SetNextItemWidth(ui.px(460));
    if (wanted_) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputTextWithHint(
        "##path", "path of a .toml, .pdf, .svg or .png; or drop the file on the window", &path_,
        ImGuiInputTextFlags_EnterReturnsTrue);
    wanted_ = false;
    gap(ui, 12);
    const bool go = button(ui, "open-go", "Open", {ui.px(90), ui.px(26)}, true, !path_.empty()) || entered;
    ImGui::SameLine(0, ui.px(8));
    const bool cancel =
        button(ui, "open-cancel", "Cancel", {ui.px(90), ui.px(26)}) || ui.pressed(Key::escape);
    if (go && !path_.empty()) app.open_file(path_);
    if (go || cancel) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
