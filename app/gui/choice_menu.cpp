#include "app/gui/choice_menu.h"

#include <algorithm>
#include <string>

#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float choice_height = 23, row_inset = 10;

/// One row of the list; true when it was clicked.
bool entry(Ui& ui, std::string_view name, std::string_view text, bool chosen, float width) {
  const Face& words = ui.faces.words;
  const Press row = press(ui, name, {width, ui.px(choice_height)});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (chosen)
    selected_ground(ui, draw, row.low, row.high, ui.px(3));
  else if (row.hovered || row.focused)
    draw.AddRectFilled(row.low, row.high, color(ui.tokens.control), ui.px(3));
  put(draw, words, row.low.x + ui.px(row_inset), baseline_in(words, row.low.y, row.high.y - row.low.y),
      color(chosen ? ui.tokens.accent : ui.tokens.text),
      fitted(words, text, row.high.x - row.low.x - ui.px(2 * row_inset)));
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(0.5f);
  return row.clicked;
}

}  // namespace

int choice_menu(Ui& ui, std::string_view name, std::span<const std::string_view> items,
                const std::vector<std::string>& said, std::string_view selected, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(24), inset = ui.px(row_inset), arrow = ui.px(14);
  const auto chosen = static_cast<std::size_t>(std::ranges::find(items, selected) - items.begin());
  const bool open = button(ui, name, "", {width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Face& words = ui.faces.words;
  put(draw, words, at.x + inset, baseline_in(words, at.y, height), color(ui.tokens.text),
      fitted(words, chosen < said.size() ? said[chosen] : std::string(selected), width - inset - 2 * arrow));
  const ImVec2 m(at.x + width - arrow, at.y + height / 2);
  draw.AddTriangleFilled({m.x - ui.px(4), m.y - ui.px(2)}, {m.x + ui.px(4), m.y - ui.px(2)},
                         {m.x, m.y + ui.px(3)}, color(ui.tokens.secondary));

  const std::string popup = "choices:" + std::string(name);
  if (open) ImGui::OpenPopup(popup.c_str());
  // Below the button where the list fits, else above it, else on the roomier side with a scroll bar.
  const float margin = ui.px(8), padding = ui.px(5), beside = ui.px(2);
  const float whole = ui.px(choice_height) * static_cast<float>(items.size()) + 2 * padding;
  const float below = ImGui::GetIO().DisplaySize.y - margin - (at.y + height + beside);
  const float above = at.y - beside - margin;
  const bool hangs = whole <= below || below >= above;
  const float list = std::max(ui.px(2 * choice_height), std::min(whole, hangs ? below : above));
  ImGui::SetNextWindowPos({at.x, hangs ? at.y + height + beside : at.y - beside - list});
  ImGui::SetNextWindowSize({width, list});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  int clicked = -1;
  if (begin_popup(ui, popup.c_str())) {
    ui.focus.begin_group(popup, std::string(name) + "=" + std::string(selected));
    for (std::size_t i = 0; i < items.size(); ++i)
      if (entry(ui, std::string(name) + "=" + std::string(items[i]), said[i], i == chosen, room(ui)))
        clicked = static_cast<int>(i);
    ui.focus.end_group();
    if (clicked >= 0) ImGui::CloseCurrentPopup();
    end_popup(ui);
  }
  ImGui::PopStyleVar(2);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  return clicked;
}

}  // namespace orrery::gui
