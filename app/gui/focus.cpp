#include "app/gui/focus.h"

#include <algorithm>

namespace orrery::gui {
namespace {

constexpr int page = 8;  // rows that Page up and Page down pass

bool take(std::vector<Chord>& keys, const Chord& wanted) {
  return std::erase(keys, wanted) > 0;
}

}  // namespace

std::vector<const Focus::Stop*> Focus::ring() const {
  std::vector<const Stop*> all;
  for (const Stop& stop : before_)
    if (stop.depth == deepest_) all.push_back(&stop);
  return all;
}

int Focus::place(std::string_view name, const std::vector<const Stop*>& all) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Stop* s) { return s->name == name; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

void Focus::set(std::string_view name) {
  by_keyboard_ = true;
  if (here_ == name) return;
  here_ = name;
  from_ = name;
  arriving_ = true;
}

void Focus::set_by_mouse(std::string_view name) {
  here_ = from_ = name;
  by_keyboard_ = false;
}

void Focus::leave() {
  if (!here_.empty()) from_ = here_;
  here_.clear();
}

/// Round and round; of a group only the one where it is entered counts.
void Focus::step(int direction) {
  const std::vector<const Stop*> all = ring();
  if (all.empty()) return;
  const auto count = static_cast<int>(all.size());
  int at = place(here_.empty() ? from_ : here_, all);
  const std::string group = at >= 0 ? all[static_cast<std::size_t>(at)]->group : std::string();
  if (at < 0) at = direction > 0 ? -1 : count;
  for (int tried = 0; tried < count; ++tried) {
    at = (at + direction + count) % count;
    const Stop& candidate = *all[static_cast<std::size_t>(at)];
    if (candidate.group.empty()) return set(candidate.name);
    if (candidate.group == group) continue;
    const auto entrance = std::find_if(
        all.begin(), all.end(), [&](const Stop* s) { return s->group == candidate.group && s->current; });
    const auto first =
        std::find_if(all.begin(), all.end(), [&](const Stop* s) { return s->group == candidate.group; });
    return set((entrance != all.end() ? *entrance : *first)->name);
  }
}

void Focus::step_in_group(int direction, bool to_end) {
  const std::vector<const Stop*> all = ring();
  const int at = place(here_, all);
  if (at < 0) return;
  std::vector<const Stop*> members;
  for (const Stop* stop : all)
    if (stop->group == all[static_cast<std::size_t>(at)]->group) members.push_back(stop);
  const auto last = static_cast<int>(members.size()) - 1;
  int to = std::clamp(place(here_, members) + direction, 0, last);
  if (to_end) to = direction < 0 ? 0 : last;
  set(members[static_cast<std::size_t>(to)]->name);
}

void Focus::next_pane(int direction) {
  const std::vector<const Stop*> all = ring();
  std::vector<std::string_view> panes;
  for (const Stop* stop : all)
    if (panes.empty() || panes.back() != stop->pane) panes.push_back(stop->pane);
  if (panes.empty()) return;
  const int at = place(here_.empty() ? from_ : here_, all);
  const auto count = static_cast<int>(panes.size());
  int now = direction > 0 ? -1 : count;
  if (at >= 0)
    now = static_cast<int>(std::find(panes.begin(), panes.end(), all[static_cast<std::size_t>(at)]->pane) -
                           panes.begin());
  const std::string_view pane = panes[static_cast<std::size_t>((now + direction + count) % count)];
  const Stop* entrance = nullptr;
  for (const Stop* stop : all)
    if (stop->pane == pane && (!entrance || (entrance->group == stop->group && stop->current)))
      entrance = stop;
  if (entrance) set(entrance->name);
}

void Focus::begin_frame(std::vector<Chord>& keys) {
  const bool clicked =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (clicked) {
    leave();
    by_keyboard_ = false;
  }
  if (take(keys, {Key::tab})) step(1);
  if (take(keys, {.key = Key::tab, .shift = true})) step(-1);
  arrived_ = arriving_;
  arriving_ = false;
  stops_.clear();
  pane_.clear();
}

void Focus::begin_group(std::string_view name, std::string_view current) {
  group_ = name;
  current_ = current;
}

bool Focus::stop(std::string_view name, ImVec2 low, ImVec2 high) {
  const ImDrawList& draw = *ImGui::GetWindowDrawList();
  stops_.push_back({std::string(name), pane_, group_, depth_, !group_.empty() && current_ == name, low, high,
                    draw.GetClipRectMin(), draw.GetClipRectMax()});
  return here_ == name;
}

void Focus::enter_popup() {
  const Stop* entrance = nullptr;
  for (const Stop& stop : stops_)
    if (stop.depth == deepest_ && (!entrance || stop.current)) entrance = &stop;
  if (entrance) set(entrance->name);
}

/// A popup opened: the keyboard goes into it. It closed: back to where it was.
void Focus::change_depth() {
  int depth = 0;
  for (const Stop& stop : stops_) depth = std::max(depth, stop.depth);
  while (deepest_ < depth) {
    left_behind_.push_back(here_);
    here_.clear();
    ++deepest_;
    if (by_keyboard_) enter_popup();
  }
  while (deepest_ > depth) {
    here_ = left_behind_.back();
    if (!here_.empty()) from_ = here_;
    left_behind_.pop_back();
    --deepest_;
  }
}

void Focus::answer_want() {
  if (wanted_.empty() || deepest_ > 0) return;
  for (const Stop& stop : stops_)
    if (stop.name == wanted_ || stop.name.starts_with(wanted_ + ":")) {
      set(stop.name);
      return wanted_.clear();
    }
}

void Focus::draw_ring(const Stop& stop, ImU32 ink, float scale) const {
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  const float out = 2 * scale;
  draw.PushClipRect({stop.clip_low.x - out, stop.clip_low.y - out},
                    {stop.clip_high.x + out, stop.clip_high.y + out});
  draw.AddRect({stop.low.x - out, stop.low.y - out}, {stop.high.x + out, stop.high.y + out}, ink, 5 * scale,
               0, 2 * scale);
  draw.PopClipRect();
}

void Focus::end_frame(std::vector<Chord>& keys, ImU32 ink, float scale) {
  change_depth();
  answer_want();
  const auto here = [&](const Stop& s) { return s.name == here_ && s.depth == deepest_; };
  if (!here_.empty() && std::none_of(stops_.begin(), stops_.end(), here)) {
    leave();  // it went
    if (deepest_ > 0 && by_keyboard_) enter_popup();
  }
  std::swap(before_, stops_);
  const auto found = std::find_if(before_.begin(), before_.end(), here);
  if (found == before_.end()) {
    if (deepest_ == 0) return;
    if (take(keys, {Key::down})) step(1);
    if (take(keys, {Key::up})) step(-1);
    return;
  }
  if (by_keyboard_) draw_ring(*found, ink, scale);

  const bool grouped = !found->group.empty();
  const auto move = [&](int direction) { grouped ? step_in_group(direction, false) : step(direction); };
  if (take(keys, {Key::down})) move(1);
  if (take(keys, {Key::up})) move(-1);
  if (grouped) {
    if (take(keys, {Key::page_down})) step_in_group(page, false);
    if (take(keys, {Key::page_up})) step_in_group(-page, false);
    if (take(keys, {Key::home})) step_in_group(-1, true);
    if (take(keys, {Key::end})) step_in_group(1, true);
  }
  if (take(keys, {Key::escape})) leave();
}

}  // namespace orrery::gui
