#include "app/gui/sections.h"

#include <algorithm>

#include "app/gui/app.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float height_of_head = 22, foot_row = 26;

std::string capitals(std::string_view text) {
  std::string high(text);
  for (char& c : high)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return high;
}

/// Points down while open, to the right while folded.
void chevron(ImDrawList& draw, ImVec2 m, float s, bool open, ImU32 ink) {
  if (open)
    draw.AddTriangleFilled({m.x - s, m.y - s * 0.5f}, {m.x + s, m.y - s * 0.5f}, {m.x, m.y + s * 0.6f}, ink);
  else
    draw.AddTriangleFilled({m.x - s * 0.5f, m.y - s}, {m.x + s * 0.6f, m.y}, {m.x - s * 0.5f, m.y + s}, ink);
}

void words(Ui& ui, const Press& p, float x, float right, std::string_view title, std::string_view note,
           bool fails, bool lit) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float height = p.high.y - p.low.y;
  const Face &head = ui.faces.head, &numbers = ui.faces.small_numbers;
  put(draw, head, x, baseline_in(head, p.low.y, height), color(lit ? ui.tokens.text : ui.tokens.faint),
      capitals(title));
  put(draw, numbers, right, baseline_in(head, p.low.y, height),
      color(fails ? ui.tokens.fails : ui.tokens.faint), note, Align::right);
}

}  // namespace

void Sections::begin_frame() {
  std::swap(before_, places_);
  places_.clear();
  jumped_ = false;
}

/// The foot goes by where the heads stood, and a jump is seen a frame later: until nothing moves any more, the window does not
/// sleep.
void Sections::end_frame(Ui& ui) const {
  if (jumped_ || !std::ranges::equal(places_, before_, {}, &Place::top, &Place::top)) ui.wake_in(0);
}

bool Sections::head(App& app, Ui& ui, std::string_view id, std::string_view title, std::string_view note,
                    bool fails) {
  const bool open = !app.document().panes.folded.contains(std::string(id));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  places_.push_back({std::string(id), std::string(title), std::string(note), fails, at.y});
  if (wanted_ == id) {
    ImGui::SetScrollHereY(0);
    wanted_.clear();
    jumped_ = true;
  }
  const float width = room(ui);
  // Over its words alone: what stands at the right end of a head may be pressed itself.
  const Press p =
      press(ui, "section:" + std::string(id),
            {std::min(width, ui.faces.head.width(capitals(title)) + ui.px(24)), ui.px(height_of_head)});
  const bool lit = p.hovered || p.focused;
  if (lit || !open) {
    // It stands in the margin, half of which Dear ImGui keeps clear.
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    draw.PushClipRect(low, {low.x + size.x, low.y + size.y});
    chevron(draw, {p.low.x - ui.px(10), (p.low.y + p.high.y) / 2}, ui.px(3.5f), open,
            color(lit ? ui.tokens.secondary : ui.tokens.faint));
    draw.PopClipRect();
  }
  words(ui, p, p.low.x, p.low.x + width, title, note, fails, lit);
  if (p.clicked)
    app.edit(title, {}, [&](Document& d) {
      if (d.panes.folded.erase(std::string(id)) == 0) d.panes.folded.insert(std::string(id));
    });
  return open;
}

std::size_t Sections::first_below(const Ui& ui, float bottom) const {
  const float head = ui.px(height_of_head), row = ui.px(foot_row);
  // One whose head finds room above the lines of those after it needs none itself: nothing is named twice.
  for (std::size_t i = 0; i < before_.size(); ++i)
    if (before_[i].top + head > bottom - row * static_cast<float>(before_.size() - i - 1)) return i;
  return before_.size();
}

float Sections::foot_height(const Ui& ui, float bottom) const {
  return ui.px(foot_row) * static_cast<float>(before_.size() - first_below(ui, bottom));
}

void Sections::foot(App& app, Ui& ui, float bottom) {
  const float width = ImGui::GetWindowSize().x, row = ui.px(foot_row), margin = ui.px(18);
  const ImVec2 at = ImGui::GetWindowPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const std::size_t first = first_below(ui, bottom);
  for (std::size_t i = first; i < before_.size(); ++i) {
    const Place& place = before_[i];
    ImGui::SetCursorScreenPos({at.x, at.y + row * static_cast<float>(i - first)});
    const Press p = press(ui, "to-section:" + place.id, {width, row});
    const bool lit = p.hovered || p.focused;
    if (lit) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control));
    draw.AddRectFilled(p.low, {p.high.x, p.low.y + 1 / ui.raster}, color(ui.tokens.line));
    words(ui, p, at.x + margin, at.x + width - ui.px(20), place.title, place.note, place.fails, lit);
    if (!p.clicked) continue;
    wanted_ = place.id;
    ui.wake_in(0);
    if (app.document().panes.folded.contains(place.id))
      app.edit(place.title, {}, [&](Document& d) { d.panes.folded.erase(place.id); });
  }
}

}  // namespace orrery::gui
