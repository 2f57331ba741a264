#include "app/gui/history_list.h"

#include <algorithm>
#include <cfloat>

#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr std::ptrdiff_t most_back = 20, most_forward = 10;

}  // namespace

void HistoryList::draw(App& app, Ui& ui) {
  if (wanted_) ImGui::OpenPopup("history");
  wanted_ = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(10)});
  ImGui::SetNextWindowPos({ui.px(92), ui.px(44)}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, ImGui::GetIO().DisplaySize.y - ui.px(52)});
  if (begin_popup(ui, "history")) {
    const History& history = app.history();
    const auto back = static_cast<std::ptrdiff_t>(history.undo_steps()),
               forward = static_cast<std::ptrdiff_t>(history.redo_steps());
    const float width = ui.px(280);
    ImGui::Dummy({width, 0});
    ui.focus.begin_group("history", "history:0");
    std::ptrdiff_t go = 0;
    // Each line is the document after that step; 0 is the one that is there now.
    for (std::ptrdiff_t at = -std::min(back, most_back); at <= std::min(forward, most_forward); ++at) {
      std::string what = ui.say("As it was before");
      if (at > -std::min(back, most_back))
        what = ui.say(at <= 0 ? history.undo_what(static_cast<std::size_t>(-at))
                              : history.redo_what(static_cast<std::size_t>(at - 1)));
      else if (back <= most_back)
        what = ui.say("The beginning");
      const std::string_view note = at > 0 ? "undone" : "";
      if (menu_row(ui, "history:" + std::to_string(at), fitted(ui.faces.words, what, width - ui.px(100)),
                   ui.say(note), width, at == 0))
        go = at;
    }
    ui.focus.end_group();
    for (; go < 0; ++go) app.undo();
    for (; go > 0; --go) app.redo();
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
