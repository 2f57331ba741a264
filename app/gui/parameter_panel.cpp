#include "app/gui/parameter_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/compare_marks.h"
#include "app/gui/greyed.h"
#include "app/gui/marks.h"
#include "app/gui/number_text.h"
#include "app/gui/rich_text.h"
#include "app/language/error.h"
#include "core/parameter/only_when.h"

namespace orrery::gui {
namespace {

using parameter::Kind;
using parameter::Parameter;

constexpr float line = 20, margin = 16;

/// With as many digits at every moment: while it moves, none of them jumps aside.
std::string moving_text(const parameter::Value& value) {
  constexpr int digits = 5;
  const double* x = std::get_if<double>(&value);
  if (!x || !std::isfinite(*x)) return value_text(value);
  const int before = std::abs(*x) < 1 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(*x)))) + 1;
  std::string text = formatted("%.*f", std::max(digits - before, 0), *x);
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");
  return text;
}

std::string help_text(const Ui& ui, const Parameter& p) {
  std::string text = ui.say(p.help);
  if (!text.empty()) text += ". ";
  text += ui.say("Allowed: {}", language::say_phrase(ui.language, parameter::allowed_phrase(p)));
  if (!p.unit.empty()) text += ui.say(", in {}", ui.say(p.unit));
  return text + ". " + ui.say("Default {}; right-click goes back to it.", p.fallback);
}

/// A picture in the head of the section.
bool small_button(Ui& ui, std::string_view name, float& right, float middle, std::string_view text,
                  void (*mark)(ImDrawList&, ImVec2, float, ImU32)) {
  const float side = ui.px(20);
  right -= side;
  ImGui::SetCursorScreenPos({right, middle - side / 2});
  const Press p = press(ui, name, {side, side});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (p.hovered) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  mark(draw, {(p.low.x + p.high.x) / 2, middle}, ui.px(11),
       color(p.hovered ? ui.tokens.text : ui.tokens.faint));
  help(ui, p, text);
  right -= ui.px(6);
  return p.clicked;
}

}  // namespace

void ParameterPanel::head(App& app, Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float whole = room(ui), middle = at.y + ui.px(10);
  ui.sections.head(app, ui, "parameters", ui.say("Parameters"));
  const ImVec2 end = ImGui::GetCursorScreenPos();
  float right = at.x + whole + ui.px(4);
  const auto all = app.study().parameters;
  const bool changed =
      std::ranges::any_of(all, [&](const Parameter& p) { return !app.settings().is_default(p.name); });
  if (changed && small_button(ui, "reset-all", right, middle,
                              ui.say("All back to their defaults, but the locked"), reset_mark))
    app.reset_all();
  if (small_button(ui, "randomise", right, middle, ui.say("Values by chance, but the locked (Ctrl+R)"),
                   dice_mark))
    app.randomise();
  presets_.draw(app, ui, right, middle);
  ImGui::SetCursorScreenPos(end);
}

void ParameterPanel::draw(App& app, Ui& ui) {
  head(app, ui);
  if (app.document().panes.folded.contains("parameters")) return;
  gap(ui, 2);
  // The margin of the pane belongs to the rows: their locks stand there.
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::PushClipRect(low, {low.x + size.x, low.y + size.y}, false);
  for (const Parameter& p : app.study().parameters) row(app, ui, p);
  ImGui::PopClipRect();
  picker_.draw(ui, [&](const std::string& path) {
    return std::optional(app.change_text(picker_.purpose(), path) ? Complaint() : app.notice().complaint);
  });
  if (const auto elsewhere = std::exchange(elsewhere_, {})) elsewhere();
}

void ParameterPanel::row(App& app, Ui& ui, const Parameter& p) {
  const std::string name = item_name(p);
  ImGui::PushID(name.c_str());
  Row row{.p = p, .at = ImGui::GetCursorScreenPos(), .width = room(ui)};
  if (const auto condition = parameter::unmet(p, app.settings())) {
    greyed_row(app, ui, p, *condition);
    ImGui::PopID();
    return;
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool under = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                     mouse.x >= row.at.x - ui.px(margin + 4) && mouse.x < row.at.x + row.width + ui.px(8) &&
                     mouse.y >= row.at.y && mouse.y < row.at.y + heights_[name];
  row.focused = ui.focus.at() == name || ui.focus.at().starts_with(name + ":");
  row.alive = under || row.focused;
  if (row.focused) keys(app, ui, row);
  label(app, ui, row);
  compare_mark(app, ui, p, row.at.x + ui.faces.words.width(ui.say(p.label)) + ui.px(20),
               row.at.x + row.width - ui.px(96), row.at.y, ui.px(line));
  switch (p.kind) {
    case Kind::integer:
    case Kind::real:
      number(app, ui, row);
      break;
    case Kind::toggle:
      toggle(app, ui, row);
      break;
    case Kind::choice:
      choice(app, ui, p);
      break;
    case Kind::vector:
      vector(app, ui, p);
      break;
    case Kind::matrix:
      matrix(app, ui, p);
      break;
    case Kind::file:
      file(app, ui, row);
      break;
    case Kind::text:
      words(app, ui, row);
      break;
  }
  complaint(app, ui, row);
  heights_[name] = ImGui::GetCursorScreenPos().y - row.at.y;
  ImGui::PopID();
}

/// The control that has the keyboard can be locked and let run without a mouse.
void ParameterPanel::keys(App& app, Ui& ui, const Row& row) {
  if (ImGui::GetIO().WantTextInput) return;
  const bool runs = row.p.kind == Kind::integer || row.p.kind == Kind::real;
  if (ui.take(Chord{.key = Key{'L'}, .ctrl = true})) app.lock(row.p, !app.locked(row.p));
  if (runs && ui.take_press({.key = Key::space, .ctrl = true})) app.toggle_play(row.p);
  if (ui.take(Key::backspace)) app.reset(row.p.name);
}

void ParameterPanel::label(App& app, Ui& ui, const Row& row) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Face& words = ui.faces.words;
  const std::string text = ui.say(row.p.label);
  const float width = words.width(text), height = ui.px(line);
  const Press label = press(ui, "label:" + std::string(row.p.name), {width + ui.px(2), height}, Tab::passes);
  put(draw, words, row.at.x, baseline_in(words, row.at.y, height), color(ui.tokens.text), text);
  // The keyboard is at the control below the label.
  Press whole = label;
  whole.focused = row.focused && !ImGui::GetIO().WantTextInput;
  whole.high = {row.at.x + row.width, row.at.y + std::max(height, heights_[item_name(row.p)])};
  help(ui, whole, help_text(ui, row.p));
  if (label.right_clicked) app.reset(row.p.name);
  // Few numbers leave no room for the words "type all".
  if (label.clicked && (row.p.kind == Kind::vector || row.p.kind == Kind::matrix))
    edit(ui, row.p, row.p.name, app.settings().text(row.p.name));
  lock_button(app, ui, row);
  const ImVec2 below(row.at.x, row.at.y + height);
  if (app.settings().is_default(row.p.name)) return ImGui::SetCursorScreenPos(below);

  ImGui::SetCursorScreenPos({row.at.x + width + ui.px(2), row.at.y});
  const Press dot = press(ui, "changed:" + std::string(row.p.name), {ui.px(12), height}, Tab::passes);
  const float radius = ui.px(dot.hovered ? 3 : 2);
  draw.AddCircleFilled({row.at.x + width + ui.px(8), row.at.y + height / 2}, radius, color(ui.tokens.accent));
  help(ui, dot.hovered, ui.say("Changed from {}: click to go back", row.p.fallback));
  if (dot.clicked) app.reset(row.p.name);
  ImGui::SetCursorScreenPos(below);
}

void ParameterPanel::lock_button(App& app, Ui& ui, const Row& row) {
  const bool locked = app.locked(row.p);
  if (!locked && !row.alive) return;
  const float side = ui.px(14), height = ui.px(line);
  ImGui::SetCursorScreenPos({row.at.x - ui.px(margin) - ui.px(2), row.at.y + (height - side) / 2});
  const Press p = press(ui, "lock:" + std::string(row.p.name), {side, side}, Tab::passes);
  const figure::Color ink = locked ? ui.tokens.accent : p.hovered ? ui.tokens.text : ui.tokens.faint;
  lock_mark(*ImGui::GetWindowDrawList(), {(p.low.x + p.high.x) / 2, (p.low.y + p.high.y) / 2}, ui.px(10),
            color(ink), locked);
  help(ui, p.hovered,
       locked ? ui.say("Locked: presets, chance and resets leave it alone")
              : ui.say("Lock: presets, chance and resets leave it alone"));
  if (p.clicked) app.lock(row.p, !locked);
}

void ParameterPanel::complaint(const App& app, Ui& ui, const Row& row) {
  const Complaint complaint = app.complaint(row.p);
  if (complaint.empty()) return;
  const std::string wrong = language::say_error(ui.language, complaint);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  const float tall =
      rich_text(ui, *ImGui::GetWindowDrawList(), below, row.width, ui.faces.words, ui.tokens.fails, wrong)
          .height;
  ImGui::Dummy({row.width, tall + ui.px(4)});
  ui.items.mark("complaint:" + std::string(row.p.name), below, {below.x + row.width, below.y + tall});
}

void ParameterPanel::number(App& app, Ui& ui, const Row& row) {
  const Parameter& p = row.p;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float right = row.at.x + row.width, top = row.at.y, height = ui.px(line);
  const std::string name(p.name);
  if (!field(app, ui, p, name, {right - ui.px(120), top}, ui.px(120),
             [&](const std::string& text) { return app.change_text(p.name, text); })) {
    const bool moves = turning_ == p.name || app.playing() == &p;
    const parameter::Value& now = app.settings().value(p.name);
    const std::string text = moves ? moving_text(now) : ui.say(value_text(now));
    // Wide enough to be hit: a single digit is a small target.
    const float width = std::max(ui.faces.numbers.width(text), ui.px(40));
    ImGui::SetCursorScreenPos({right - width - ui.px(4), top});
    const Press value = press(ui, "value:" + name, {width + ui.px(8), height}, Tab::passes);
    if (value.hovered)
      draw.AddRectFilled({value.low.x - ui.px(2), value.low.y + ui.px(1)},
                         {value.high.x, value.high.y - ui.px(1)}, color(ui.tokens.control), ui.px(3));
    put(draw, ui.faces.numbers, right, baseline_in(ui.faces.numbers, top, height),
        color(moves ? ui.tokens.accent : ui.tokens.text), text, Align::right);
    if (value.hovered && !p.unit.empty()) help(ui, true, ui.say(p.unit));
    if (value.clicked) edit(ui, p, name, app.settings().text(p.name));
    if (value.right_clicked) app.reset(p.name);
    if (p.plays || row.alive || app.moving() == &p) play_button(app, ui, row, right - width - ui.px(8));
  }
  ImGui::SetCursorScreenPos({row.at.x, top + height});
  slider(app, ui, p);
  if (app.moving() == &p) motion(app, ui, row);
}

void ParameterPanel::toggle(App& app, Ui& ui, const Row& row) {
  ImGui::SetCursorScreenPos({row.at.x + row.width - ui.px(30), row.at.y + ui.px(3)});
  const bool on = app.settings().toggle(row.p.name);
  if (toggle_switch(ui, item_name(row.p), on)) app.change(row.p.name, !on);
  ImGui::SetCursorScreenPos({row.at.x, row.at.y + ui.px(26)});
}

void ParameterPanel::edit(Ui& ui, const Parameter& p, std::string_view name, std::string text, bool by_key) {
  ui.focus.touched(item_name(p));
  opened_from_ = by_key ? ui.focus.at() : "";
  editing_ = name;
  begun_.clear();
  typed_ = std::move(text);
  focus_ = true;
  wrong_ = false;
}

/// Enter opens the field of a control that has the keyboard, and so does the first character of a value.
void ParameterPanel::edit_by_keys(Ui& ui, const Parameter& p, std::string_view name, const std::string& text,
                                  const Press& control) {
  if (!control.focused || editing_ == name) return;
  const std::string typed = take_typed(ui);
  if (!control.by_key && typed.empty()) return;
  edit(ui, p, name, text, true);
  begun_ = typed;
}

/// What is not allowed stays in the field, with what is wrong with it below, until it is mended, until Escape takes it back,
/// or until the parameter is given another value elsewhere.
bool ParameterPanel::field(App& app, Ui& ui, const Parameter& p, std::string_view name, ImVec2 at,
                           float width, const Enter& enter) {
  if (editing_ == name && wrong_ && !app.refused(p)) editing_.clear(), wrong_ = typing_ = false;
  if (editing_ != name) return false;
  ImGui::SetCursorScreenPos(at);
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(ui.faces.numbers.font);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(6), ui.px(3)});
  if (wrong_) ImGui::PushStyleColor(ImGuiCol_Text, color(ui.tokens.fails));
  // Where the keyboard is elsewhere, its keys are for what has it.
  const std::string item = item_name(p);
  const auto is_elsewhere = [&] {
    const std::string& at_now = ui.focus.at();
    return !ui.focus.nowhere() && at_now != item && !at_now.starts_with(item + ":") && at_now != opened_from_;
  };
  if (!typing_ && !(wrong_ && is_elsewhere()))
    begun_ += take_typed(ui);
  else if (typing_ && !begun_.empty())
    ImGui::GetIO().AddInputCharactersUTF8(std::exchange(begun_, {}).c_str());
  // What is to be mended is not to be typed anew: the caret stays where it was.
  const ImGuiInputTextFlags select = wrong_ ? ImGuiInputTextFlags_None : ImGuiInputTextFlags_AutoSelectAll;
  const bool entered = [&] {
    const compat::EnterOnce once;
    return ImGui::InputText("##value", &typed_, ImGuiInputTextFlags_EnterReturnsTrue | select);
  }();
  // Behind it, and of the item before: from 1.87 on the next item is found only where Dear ImGui's own navigation is at work.
  if (focus_) ImGui::SetKeyboardFocusHere(-1);
  ui.items.mark_last("field:" + std::string(name));
  const bool left = ImGui::IsItemDeactivated(), active = ImGui::IsItemActive();
  typing_ = active;
  if (wrong_) ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  const bool tabbed = is_elsewhere(), pressed = !tabbed && ui.take_press({Key::enter});
  const bool by_enter = pressed || entered, given_up = ui.take(Key::escape);
  const bool moved_on = (tabbed && !wrong_) || (left && !focus_);
  focus_ = false;
  if (given_up) {
    if (wrong_) app.take_back();
    editing_.clear(), wrong_ = typing_ = false;
  } else if (by_enter || moved_on) {
    wrong_ = !enter(typed_);
    typing_ = false;
    focus_ = wrong_ && by_enter;  // whoever went on is not called back
    if (!wrong_) editing_.clear();
  }
  if (tabbed && active) compat::leave_field();  // another field may be typed into while this one waits
  if (active && ui.focus.nowhere()) ui.focus.touched(item);
  return true;
}

}  // namespace orrery::gui
