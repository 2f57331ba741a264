#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void study_list(App& app, Ui& ui) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float row = ui.px(22), margin = ui.px(20);
  std::string_view topic;
  for (const study::Study* study : study::studies()) {
    if (study->topic != topic) {
      if (!topic.empty()) gap(ui, 14);
      topic = study->topic;
      ImGui::SetCursorPosX(margin);
      section_head(ui, topic);
      gap(ui, 4);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room(ui);
    const bool chosen = study == &app.study();
    ImGui::SetCursorScreenPos({at.x + ui.px(10), at.y});
    const Press p = press(ui, "study:" + std::string(study->id), {width - ui.px(20), row});
    if (chosen) {
      draw.AddRectFilled(p.low, p.high, color(ui.tokens.accent_ground), ui.px(4));
      draw.AddRectFilled(p.low, {p.low.x + ui.px(3), p.high.y}, color(ui.tokens.accent), ui.px(2),
                         ImDrawFlags_RoundCornersLeft);
    } else if (p.hovered) {
      draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
    }
    const Face& face = ui.faces.words;
    const float x = p.low.x + ui.px(14);
    put(draw, face, x, baseline_in(face, p.low.y, row), color(chosen ? ui.tokens.accent : ui.tokens.text),
        fitted(face, study->title, p.high.x - x - ui.px(6)));
    help(ui, p.hovered && !chosen, study->summary);
    if (p.clicked) app.open(*study);
    ImGui::SetCursorScreenPos({at.x, at.y + row});
  }
}

}  // namespace orrery::gui
