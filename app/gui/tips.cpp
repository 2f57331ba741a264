// Lines of help beside what the pointer or the keyboard rests on.
#include <algorithm>
#include <string>

#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float tip_width = 320;  // of the design, at most

/// Where a tip stands: its left end, and its top (pivot 0) or its foot (1).
struct TipPlace {
  ImVec2 at;
  float pivot;
};

void tip(Ui& ui, bool shown, std::string_view text, const TipPlace* place) {
  constexpr double patience = 0.45;
  if (!shown || text.empty()) return;  // others may have the same words
  if (ImGui::IsMouseDown(0)) return ui.rest.on.clear();
  const double now = ImGui::GetTime();
  const int frame = ImGui::GetFrameCount();
  if (ui.rest.on != text || ui.rest.frame + 1 < frame) ui.rest = {std::string(text), now};
  ui.rest.frame = frame;
  const double rested = now - ui.rest.since;
  if (rested < patience) return ui.wake_in(patience - rested + 0.02);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(7)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(5));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, color(ui.tokens.raised));
  ImGui::PushStyleColor(ImGuiCol_Border, IM_COL32(0, 0, 0, 0));
  const float wrap = std::min(ui.px(tip_width), ui.faces.words.width(text) + 1);
  if (place) {
    const float right = ImGui::GetIO().DisplaySize.x - wrap - ui.px(24);
    ImGui::SetNextWindowPos({std::max(0.0f, std::min(place->at.x, right)), place->at.y}, ImGuiCond_Always,
                            {0, place->pivot});
  }
  ImGui::BeginTooltip();
  // Dear ImGui hides it in its first frame, which only measures it.
  if (ImGui::IsWindowAppearing()) ui.wake_in(0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height =
      rich_text(ui, *ImGui::GetWindowDrawList(), at, wrap, ui.faces.words, ui.tokens.text, text).height;
  ImGui::Dummy({wrap, height});
  ImGui::EndTooltip();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

/// Below the control that has the keyboard, or above it where the window ends.
TipPlace beside_control(Ui& ui, const Press& p, std::string_view text) {
  const float away = ui.px(6), wrap = std::min(ui.px(tip_width), ui.faces.words.width(text) + 1);
  const float height = rich_height(ui, wrap, ui.faces.words, text) + ui.px(14);
  const bool below = p.high.y + away + height <= ImGui::GetIO().DisplaySize.y;
  return {{p.low.x, below ? p.high.y + away : p.low.y - away}, below ? 0.0f : 1.0f};
}

}  // namespace

void help(Ui& ui, const Press& p, std::string_view text) {
  if (!ui.by_keys()) return help(ui, p.hovered, text);
  if (!p.focused) return tip(ui, false, text, nullptr);
  const TipPlace place = beside_control(ui, p, text);
  tip(ui, true, text, &place);
}

void help(Ui& ui, bool hovered, std::string_view text) {
  tip(ui, hovered && !ui.by_keys(), text, nullptr);
}

void help_above(Ui& ui, const Press& p, std::string_view text, ImVec2 foot) {
  const TipPlace place{foot, 1};
  tip(ui, ui.by_keys() ? p.focused : p.hovered, text, &place);
}

void help_above(Ui& ui, bool hovered, std::string_view text, ImVec2 foot) {
  const TipPlace place{foot, 1};
  tip(ui, hovered && !ui.by_keys(), text, &place);
}

Press last_item(const Ui& ui, std::string_view name) {
  Press p;
  p.hovered = ImGui::IsItemHovered();
  p.focused = ui.focus.on(name) && !ImGui::GetIO().WantTextInput;
  p.low = ImGui::GetItemRectMin();
  p.high = ImGui::GetItemRectMax();
  return p;
}

}  // namespace orrery::gui
