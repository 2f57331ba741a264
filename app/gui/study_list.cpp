#include <array>

#include "app/gui/panels.h"
#include "app/gui/study_search.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float study_height = 22, said_height = 18;

void head(Ui& ui, std::string_view text, bool first) {
  if (!first) gap(ui, 14);
  ImGui::SetCursorPosX(ui.px(20));
  section_head(ui, text);
  gap(ui, 4);
}

}  // namespace

void StudyList::draw(App& app, Ui& ui) {
  search(app, ui);
  compat::begin_child("list", {0, ImGui::GetContentRegionAvail().y + ui.px(12)});  // to the pane's very end
  // By topic; while something is searched, by where it was found.
  constexpr std::array<std::string_view, 3> places{"In their words", "By parameter", "By name"};
  const bool searching = typed_.find_first_not_of(' ') != typed_.npos;
  std::string_view above;
  ui.focus.begin_group("studies", "study:" + std::string(app.study().id));
  for (const SearchHit& hit : found_) {
    const std::string_view now = searching ? places[static_cast<std::size_t>(hit.found)] : hit.study->topic;
    if (now != above) head(ui, ui.say(now), above.empty());
    above = now;
    row(app, ui, hit);
  }
  ui.focus.end_group();
  if (found_.empty()) {
    ImGui::SetCursorPosX(ui.px(20));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, ui.px(22)),
        color(ui.tokens.faint), ui.say("No study speaks of that."));
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
  const Field field = text_field(ui, "search", typed_, ui.say("Search (Ctrl+F)"), room(ui) - ui.px(10));
  ImGui::PopStyleVar();
  if ((field.active || field.left) && ui.pressed(Key::escape)) typed_.clear();
  if (found_.empty() || typed_ != searched_ || ui.language != language_) {
    if (typed_.empty()) seen_ = nullptr;  // all of them again: the open one comes into sight
    searched_ = typed_;
    language_ = ui.language;
    found_ = search_all(typed_, language_);
  }
  if (field.entered && !found_.empty()) app.open(*found_.front().study);
  gap(ui, 12);
}

void StudyList::row(App& app, Ui& ui, const SearchHit& hit) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const study::Study& study = *hit.study;
  const float height = ui.px(study_height), below = hit.said.empty() ? 0 : ui.px(said_height);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool chosen = &study == &app.study();
  ImGui::SetCursorScreenPos({at.x + ui.px(10), at.y});
  const Press p = press(ui, "study:" + std::string(study.id), {room(ui) - ui.px(10), height + below});
  if (chosen) {
    selected_ground(ui, draw, p.low, p.high, ui.px(4));
    draw.AddRectFilled(p.low, {p.low.x + ui.px(3), p.high.y}, color(ui.tokens.accent), ui.px(2),
                       ImDrawFlags_RoundCornersLeft);
    // However it was opened: the list follows.
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
    if (seen_ != &study && (p.low.y < top || p.high.y > bottom)) ImGui::SetScrollHereY(0.5f);
  } else if (p.hovered) {
    draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  }
  const float x = p.low.x + ui.px(14), width = p.high.x - x - ui.px(6);
  const auto line = [&](const Face& face, float top, float tall, const std::string& text, figure::Color ink) {
    put_lit(ui, draw, face, x, baseline_in(face, top, tall), fitted(face, text, width),
            typed_in(text, typed_), color(ink), color(ui.tokens.accent));
  };
  line(ui.faces.words, p.low.y, height, ui.say(study.title), chosen ? ui.tokens.accent : ui.tokens.text);
  if (below > 0) line(ui.faces.words, p.low.y + height - ui.px(4), below, hit.said, ui.tokens.faint);
  if (!chosen) help(ui, p, ui.say(study.summary));
  if (p.clicked) app.open(study);
  ImGui::SetCursorScreenPos({at.x, at.y + height + below});
}

}  // namespace orrery::gui
