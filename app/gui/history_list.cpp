#include "app/gui/history_list.h"

#include <algorithm>
#include <cfloat>

#include "app/gui/step_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr std::ptrdiff_t most_back = 20, most_forward = 10;

/// The document so many steps from now: below 0 what it was, above 0 what was undone.
const Document& document_at(const App& app, std::ptrdiff_t at) {
  const History& history = app.history();
  if (at < 0) return history.undo_to(static_cast<std::size_t>(-at - 1));
  return at > 0 ? history.redo_to(static_cast<std::size_t>(at - 1)) : app.document();
}

/// What led to the document there.
std::string text_at(const App& app, const Ui& ui, std::ptrdiff_t at) {
  const History& history = app.history();
  const std::string_view what = at <= 0 ? history.undo_what(static_cast<std::size_t>(-at))
                                        : history.redo_what(static_cast<std::size_t>(at - 1));
  return step_text(ui, what, document_at(app, at - 1), document_at(app, at));
}

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
    const float width = ui.px(340);
    ImGui::Dummy({width, 0});
    ui.focus.begin_group("history", "history:0");
    std::ptrdiff_t go = 0;
    // Each line is the document after that step; 0 is the one that is there now.
    for (std::ptrdiff_t at = -std::min(back, most_back); at <= std::min(forward, most_forward); ++at) {
      std::string what = ui.say("As it was before");
      if (at > -std::min(back, most_back))
        what = text_at(app, ui, at);
      else if (back <= most_back)
        what = ui.say("The beginning");
      const std::string note = at > 0 ? ui.say("undone") : std::string();
      const float taken = ui.px(36) + (note.empty() ? 0 : ui.faces.small_numbers.width(note) + ui.px(12));
      const std::string shown = fitted(ui.faces.words, what, width - taken);
      const std::string name = "history:" + std::to_string(at);
      if (menu_row(ui, name, shown, note, width, at == 0)) go = at;
      if (shown != what) help(ui, last_item(ui, name), what);
    }
    ui.focus.end_group();
    for (; go < 0; ++go) app.undo();
    for (; go > 0; --go) app.redo();
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
