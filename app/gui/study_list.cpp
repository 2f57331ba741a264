#include <vector>

#include "app/gui/panels.h"
#include "app/gui/study_search.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void StudyList::draw(App& app, Ui& ui) {
  search(app, ui);
  compat::begin_child("list", {0, ImGui::GetContentRegionAvail().y + ui.px(12)});  // to the pane's very end
  std::string_view topic;
  ui.focus.begin_group("studies", "study:" + std::string(app.study().id));
  for (const study::Study* study : found_) {
    if (study->topic != topic) {
      if (!topic.empty()) gap(ui, 14);
      topic = study->topic;
      ImGui::SetCursorPosX(ui.px(20));
      section_head(ui, topic);
      gap(ui, 4);
    }
    row(app, ui, *study);
  }
  ui.focus.end_group();
  if (found_.empty()) {
    ImGui::SetCursorPosX(ui.px(20));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, ui.px(22)),
        color(ui.tokens.faint), "No study speaks of that.");
    ImGui::Dummy({room(ui), ui.px(22)});
  }
  gap(ui, 10);
  seen_ = &app.study();
  ImGui::EndChild();
}

/// Enter opens the first one found, Escape finds all of them again.
void StudyList::search(App& app, Ui& ui) {
  ImGui::SetCursorPosX(ui.px(10));
  if (wanted_) ui.focus.set("search");
  wanted_ = false;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(5)});
  const Field field = text_field(ui, "search", typed_, "Search (Ctrl+F)", room(ui) - ui.px(10));
  ImGui::PopStyleVar();
  if ((field.active || field.left) && ui.pressed(Key::escape)) typed_.clear();
  if (found_.empty() || typed_ != searched_) {
    searched_ = typed_;
    found_.clear();
    for (const study::Study* study : study::studies())
      if (matches(*study, typed_)) found_.push_back(study);
  }
  if (field.entered && !found_.empty()) app.open(*found_.front());
  gap(ui, 12);
}

void StudyList::row(App& app, Ui& ui, const study::Study& study) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float height = ui.px(22);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool chosen = &study == &app.study();
  ImGui::SetCursorScreenPos({at.x + ui.px(10), at.y});
  const Press p = press(ui, "study:" + std::string(study.id), {room(ui) - ui.px(10), height});
  if (chosen) {
    draw.AddRectFilled(p.low, p.high, color(ui.tokens.accent_ground), ui.px(4));
    draw.AddRectFilled(p.low, {p.low.x + ui.px(3), p.high.y}, color(ui.tokens.accent), ui.px(2),
                       ImDrawFlags_RoundCornersLeft);
    // However it was opened: the list follows.
    if (seen_ != &study && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
  } else if (p.hovered) {
    draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  }
  const Face& face = ui.faces.words;
  const float x = p.low.x + ui.px(14);
  put(draw, face, x, baseline_in(face, p.low.y, height), color(chosen ? ui.tokens.accent : ui.tokens.text),
      fitted(face, study.title, p.high.x - x - ui.px(6)));
  help(ui, p.hovered && !chosen, study.summary);
  if (p.clicked) app.open(study);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
}

}  // namespace orrery::gui
