#include "app/gui/palette.h"

#include <algorithm>

#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float entry_height = 28, width_of_all = 600;
constexpr int rows_shown = 12;
constexpr std::size_t remembered = 12;

}  // namespace

void Palette::use(const PaletteEntry& entry, Reach& reach) {
  if (!entry.why_not.empty()) return;
  std::erase(recent_, entry.key);
  recent_.insert(recent_.begin(), entry.key);
  if (recent_.size() > remembered) recent_.pop_back();
  entry.run(reach);
  ImGui::CloseCurrentPopup();
}

void Palette::list(Ui& ui, const std::vector<PaletteRow>& rows) {
  const float row = ui.px(entry_height);
  const Tokens& t = ui.tokens;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const PaletteEntry& entry = *rows[static_cast<std::size_t>(i)].entry;
    const Press p = press(ui, "palette:" + entry.key, {room(ui), row}, Tab::passes);
    if (moved_ && i == chosen_ &&
        (p.low.y < ImGui::GetWindowPos().y || p.high.y > ImGui::GetWindowPos().y + ImGui::GetWindowSize().y))
      ImGui::SetScrollHereY(0.5f);
    if (!ImGui::IsItemVisible()) continue;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (i == chosen_)
      selected_ground(ui, draw, p.low, p.high, ui.px(4));
    else if (p.hovered)
      draw.AddRectFilled(p.low, p.high, color(t.control), ui.px(4));
    const bool off = !entry.why_not.empty();
    const std::string& note = off ? entry.why_not : entry.note;
    const Face &words = ui.faces.words, &small = off ? ui.faces.words : ui.faces.small_numbers;
    const float inset = ui.px(12), whole = p.high.x - p.low.x - 2 * inset;
    const std::string right = fitted(small, note, whole * 0.5f);
    put(draw, small, p.high.x - inset, baseline_in(small, p.low.y, row), color(t.faint), right, Align::right);
    put_lit(ui, draw, words, p.low.x + inset, baseline_in(words, p.low.y, row),
            fitted(words, entry.label, whole - small.width(right) - ui.px(20)),
            rows[static_cast<std::size_t>(i)].lit, color(off ? t.faint : t.text),
            color(off ? t.faint : t.accent));
    if (p.clicked) clicked_ = i;
  }
  moved_ = false;
}

void Palette::draw(Ui& ui, const KeyMap& keys, Reach& reach) {
  if (wanted_) {
    ImGui::OpenPopup("palette");
    typed_.clear();
    presets_.read(reach.app.study());
    chosen_ = 0;
    moved_ = true;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(width_of_all), screen.x - ui.px(24)), padding = ui.px(8);
  const float top = ui.px(48), field = ui.px(40), row = ui.px(entry_height);
  const float shown = std::min(static_cast<float>(rows_shown),
                               std::floor((screen.y - top - field - 2 * padding - ui.px(16)) / row));
  ImGui::SetNextWindowPos({std::floor((screen.x - width) / 2), top});
  ImGui::SetNextWindowSize({width, field + shown * row + 2 * padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  if (begin_popup(ui, "palette", ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    if (wanted_) ui.focus.set("palette-field");
    presets_.follow(reach.app.study(), ui);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(7)});
    const std::string before = typed_;
    const Field typing =
        text_field(ui, "palette-field", typed_, ui.say("An action, a study, a parameter"), room(ui));
    ImGui::PopStyleVar();
    ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + padding, ImGui::GetWindowPos().y + padding + field});

    const std::vector<PaletteEntry> entries = palette_entries(ui, keys, reach, presets_.all());
    const std::vector<PaletteRow> rows = palette_rows(entries, typed_, recent_);
    const auto count = static_cast<int>(rows.size());
    const int from = chosen_;
    if (typed_ != before) chosen_ = 0;
    if (ui.take(Key::down)) ++chosen_;
    if (ui.take(Key::up)) --chosen_;
    if (ui.take(Key::page_down)) chosen_ = std::min(chosen_ + rows_shown, count - 1);
    if (ui.take(Key::page_up)) chosen_ = std::max(chosen_ - rows_shown, 0);
    if (count > 0) chosen_ = (chosen_ + count) % count;
    if (chosen_ != from || typed_ != before) moved_ = true;

    if (compat::begin_child("palette rows", {room(ui), shown * row})) {
      if (count == 0) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x + ui.px(12),
            baseline_in(ui.faces.words, at.y, row), color(ui.tokens.faint),
            ui.say("Nothing has a name like that."));
      }
      list(ui, rows);
    }
    ImGui::EndChild();
    const bool entered = ui.take_press({Key::enter}) || typing.entered;
    const int use_row = clicked_ >= 0 ? clicked_ : entered && count > 0 ? chosen_ : -1;
    if (use_row >= 0) use(*rows[static_cast<std::size_t>(use_row)].entry, reach);
    clicked_ = -1;
    end_popup(ui);
  }
  wanted_ = false;
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
