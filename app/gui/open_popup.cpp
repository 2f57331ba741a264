#include <algorithm>

#include "app/gui/panels.h"
#include "app/gui/typed_path.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

/// The files of late; true when one was opened.
bool OpenPopup::recent(App& app, Ui& ui) const {
  constexpr std::size_t most = 8;
  const std::vector<std::string> files = app.recent();
  if (files.empty()) return false;
  gap(ui, 10);
  section_head(ui, ui.say("Opened or written last"));
  for (std::size_t i = 0; i < std::min(most, files.size()); ++i) {
    const std::string shown = fitted(ui.faces.words, shown_path(files[i]), ui.px(410));
    if (!menu_row(ui, "recent:" + std::to_string(i), shown, "", ui.px(460))) continue;
    app.open_file(files[i]);
    return true;
  }
  return false;
}

void OpenPopup::draw(App& app, Ui& ui) {
  if (wanted_) ImGui::OpenPopup("open file");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(18)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (begin_modal(ui, "open file", ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize)) {
    section_head(ui, ui.say("Open a recipe, or a figure made here"));
    gap(ui, 6);
    if (wanted_) ui.focus.set("open-path");
    wanted_ = false;
    const bool entered =
        text_field(ui, "open-path", path_,
                   ui.say("path of a .toml, .pdf, .svg or .png; or drop the file on the window"), ui.px(460))
            .entered;
    if (recent(app, ui)) ImGui::CloseCurrentPopup();
    gap(ui, 12);
    const bool go = button(ui, "open-go", "Open", {ui.px(90), ui.px(26)}, true, !path_.empty()) || entered;
    ImGui::SameLine(0, ui.px(8));
    const bool cancel = button(ui, "open-cancel", "Cancel", {ui.px(90), ui.px(26)});
    if (go && !path_.empty()) app.open_file(typed_path(path_));
    if (go || cancel) ImGui::CloseCurrentPopup();
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
