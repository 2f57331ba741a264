#include <algorithm>

#include "app/gui/choice_menu.h"
#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/rich_text.h"
#include "app/gui/slider_scale.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

using parameter::Kind;
using parameter::Parameter;

std::string help_text(const Parameter& p) {
  std::string text(p.help);
  if (!text.empty()) text += ". ";
  text += "Allowed: " + parameter::allowed_text(p);
  if (!p.unit.empty()) text += ", in " + std::string(p.unit);
  return text + ". Default " + std::string(p.fallback) + "; right-click goes back to it.";
}

std::string item(const Parameter& p) {
  return "parameter:" + std::string(p.name);
}

}  // namespace

void ParameterPanel::draw(App& app, Ui& ui) {
  section_head(ui, "Parameters");
  gap(ui, 2);
  for (const Parameter& p : app.study().parameters) row(app, ui, p);
}

void ParameterPanel::edit(const App& app, Ui& ui, const Parameter& p) {
  ui.focus.touched(item(p));
  editing_ = p.name;
  begun_.clear();
  typed_ = app.settings().text(p.name);
  focus_ = true;
}

/// Enter opens the field of a control that has the keyboard, and so does the first character of a value.
void ParameterPanel::edit_by_keys(const App& app, Ui& ui, const Parameter& p, const Press& control) {
  if (!control.focused || editing_ == p.name) return;
  const std::string typed = take_typed(ui);
  if (!control.by_key && typed.empty()) return;
  edit(app, ui, p);
  begun_ = typed;
}

/// The text field in the place of a value; true while it is there.
bool ParameterPanel::field(App& app, Ui& ui, const Parameter& p, ImVec2 at, float width) {
  if (editing_ != p.name) return false;
  ImGui::SetCursorScreenPos(at);
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(ui.faces.numbers.font);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(6), ui.px(3)});
  if (focus_) ImGui::SetKeyboardFocusHere();
  if (!typing_)
    begun_ += take_typed(ui);
  else if (!begun_.empty())
    ImGui::GetIO().AddInputCharactersUTF8(std::exchange(begun_, {}).c_str());
  const bool entered = ImGui::InputText(
      "##value", &typed_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ui.items.mark_last("field:" + std::string(p.name));
  const bool left = ImGui::IsItemDeactivated();
  typing_ = ImGui::IsItemActive();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  const bool tabbed = !ui.focus.nowhere() && ui.focus.at().find(item(p)) == std::string::npos;
  const bool taken = ui.take(Key::enter) || entered || tabbed, given_up = ui.take(Key::escape);
  if (taken || (left && !focus_ && !given_up)) {
    app.change_text(p.name,
                    typed_);  // what is not allowed is said below it, and the old value stays
    editing_.clear();
  } else if (given_up || (left && !focus_)) {
    editing_.clear();
  }
  if (editing_.empty()) typing_ = false;
  if (tabbed) compat::leave_field();
  focus_ = false;
  return true;
}

void ParameterPanel::value_label(App& app, Ui& ui, const Parameter& p, float right, float top, float height) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (p.plays) {
    const bool on = app.playing() == &p;
    const float side = ui.px(20);
    ImGui::SetCursorScreenPos({right - side + ui.px(4), top + (height - side) / 2});
    const Press play = press(ui, "play:" + std::string(p.name), {side, side});
    const ImVec2 m((play.low.x + play.high.x) / 2, (play.low.y + play.high.y) / 2);
    const ImU32 ink = color(ui.tokens.accent, play.hovered ? 1 : 0.9);
    const float s = ui.px(5);
    if (on) {
      draw.AddRectFilled({m.x - s * 0.8f, m.y - s}, {m.x - s * 0.2f, m.y + s}, ink);
      draw.AddRectFilled({m.x + s * 0.3f, m.y - s}, {m.x + s * 0.9f, m.y + s}, ink);
    } else {
      draw.AddTriangleFilled({m.x - s * 0.7f, m.y - s}, {m.x + s, m.y}, {m.x - s * 0.7f, m.y + s}, ink);
    }
    help(ui, play.hovered, on ? "Stop (space)" : "Let it run (space)");
    if (play.clicked) app.toggle_play(p);
    right -= side + ui.px(4);
  }
  if (field(app, ui, p, {right - ui.px(120), top}, ui.px(120))) return;

  const std::string text = value_text(app.settings().value(p.name));
  // Wide enough to be hit: a single digit is a small target.
  const float width = std::max(ui.faces.numbers.width(text), ui.px(40));
  ImGui::SetCursorScreenPos({right - width - ui.px(4), top});
  const Press value = press(ui, "value:" + std::string(p.name), {width + ui.px(8), height}, Tab::passes);
  if (value.hovered)
    draw.AddRectFilled({value.low.x - ui.px(2), value.low.y + ui.px(1)},
                       {value.high.x, value.high.y - ui.px(1)}, color(ui.tokens.control), ui.px(3));
  const bool moving = turning_ == p.name || app.playing() == &p;
  put(draw, ui.faces.numbers, right, baseline_in(ui.faces.numbers, top, height),
      color(moving ? ui.tokens.accent : ui.tokens.text), text, Align::right);
  if (value.clicked) edit(app, ui, p);
  if (value.right_clicked) app.reset(p.name);
}

void ParameterPanel::row(App& app, Ui& ui, const Parameter& p) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::PushID(item(p).c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), height = ui.px(20);
  const Face& words = ui.faces.words;

  const Press label =
      press(ui, "label:" + std::string(p.name), {words.width(p.label) + ui.px(8), height}, Tab::passes);
  put(draw, words, at.x, baseline_in(words, at.y, height), color(ui.tokens.text), p.label);
  help(ui, label.hovered, help_text(p));
  if (label.right_clicked) app.reset(p.name);

  if (p.kind == Kind::integer || p.kind == Kind::real) {
    value_label(app, ui, p, at.x + width, at.y, height);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
    slider(app, ui, p);
  } else if (p.kind == Kind::toggle) {
    ImGui::SetCursorScreenPos({at.x + width - ui.px(30), at.y + ui.px(3)});
    const bool on = app.settings().toggle(p.name);
    if (toggle_switch(ui, item(p), on)) app.change(p.name, !on);
    ImGui::SetCursorScreenPos({at.x, at.y + ui.px(26)});
  } else if (p.kind == Kind::choice) {
    choice(app, ui, p);
  } else if (p.kind == Kind::vector) {
    vector(app, ui, p);
  } else {
    file(app, ui, p, {at.x, at.y + height}, width);
  }
  if (const std::string wrong = app.complaint(p); !wrong.empty()) {
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float tall = rich_text(ui, draw, below, width, words, ui.tokens.fails, wrong).height;
    ImGui::Dummy({width, tall + ui.px(4)});
    ui.items.mark("complaint:" + std::string(p.name), below, {below.x + width, below.y + tall});
  }
  ImGui::PopID();
}

/// A field that shows the end of a path, which tells files apart, until it is clicked.
void ParameterPanel::file(App& app, Ui& ui, const Parameter& p, ImVec2 at, float width) {
  const float height = ui.px(24), inset = ui.px(8);
  if (!field(app, ui, p, at, width)) {
    const Face& words = ui.faces.words;
    std::string path = app.settings().text(p.name);
    const bool none = path.empty();
    if (none) path = "Type a path, or drop a file";
    bool cut = false;
    while (words.width(path) > width - 2 * inset - (cut ? words.width("\u2026") : 0)) {
      path.erase(0, 1);
      while (!path.empty() && (path.front() & 0xC0) == 0x80) path.erase(0, 1);
      cut = true;
    }
    ImGui::SetCursorScreenPos(at);
    const Press box = press(ui, item(p), {width, height});
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(box.low, box.high, color(box.hovered ? ui.tokens.raised : ui.tokens.control),
                       ui.px(4));
    put(draw, words, at.x + inset, baseline_in(words, at.y, height),
        color(none ? ui.tokens.faint : ui.tokens.text), (cut ? "\u2026" : "") + path);
    if (box.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (box.clicked && !box.by_key) edit(app, ui, p);
    edit_by_keys(app, ui, p, box);
    if (box.right_clicked) app.reset(p.name);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(30)});
}

void ParameterPanel::slider(App& app, Ui& ui, const Parameter& p) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Tokens& t = ui.tokens;
  const float width = room(ui), height = ui.px(20), radius = ui.px(6);
  const Press way = press(ui, item(p), {width, height});
  const float left = way.low.x + radius, travel = width - 2 * radius;
  const ImGuiIO& io = ImGui::GetIO();

  if (way.right_clicked) app.reset(p.name);
  if (way.double_clicked) {
    app.change(p.name, before_,
               "slider:" + std::string(p.name));  // the first click moved it; it only wanted to type
    app.end_gesture();
    edit(app, ui, p);
  } else if (way.started && io.KeyCtrl) {
    edit(app, ui, p);
  } else if (way.started) {
    before_ = app.settings().value(p.name);
    turning_ = p.name;
  }
  if (way.held && turning_ == p.name && editing_ != p.name) {
    const double value = slider_value(p, (io.MousePos.x - left) / travel);
    app.change(p.name, nearest_allowed(p, value), "slider:" + std::string(p.name));
  } else if (turning_ == p.name) {
    turning_.clear();
  }

  edit_by_keys(app, ui, p, way);
  if (way.focused)
    if (const Turn turn = take_turn(ui)) {
      const SliderEnds ends = slider_ends(p);
      const double from = number_of(app.settings().value(p.name));
      const double to = turn.to_start ? ends.low : turn.to_end ? ends.high : stepped(p, from, turn.steps);
      app.change(p.name, nearest_allowed(p, to), "keys:" + std::string(p.name));
    }

  const double now = number_of(app.settings().value(p.name));
  const float y = std::floor((way.low.y + way.high.y) / 2 - ui.px(2)), thick = ui.px(4);
  const float x = left + travel * static_cast<float>(slider_fraction(p, now));
  draw.AddRectFilled({way.low.x, y - thick / 2}, {way.high.x, y + thick / 2}, color(t.raised), thick / 2);
  const bool lit = way.hovered || way.held || way.focused;
  // A word stands instead of a number: nowhere on the way, until it is touched.
  if (std::holds_alternative<std::string>(app.settings().value(p.name)) && !lit) return;
  draw.AddRectFilled({way.low.x, y - thick / 2}, {x, y + thick / 2}, color(t.accent), thick / 2);
  if (lit) draw.AddCircleFilled({x, y}, radius + ui.px(4), color(t.accent, 0.2));
  draw.AddCircleFilled({x, y}, radius, color(t.pane));
  draw.AddCircle({x, y}, radius, color(t.accent), 0, 2 * ui.scale);
}

void ParameterPanel::choice(App& app, Ui& ui, const Parameter& p) {
  const std::vector<std::string_view> names = parameter::choices_of(p);
  const std::string& now = app.settings().choice(p.name);
  const auto chosen = static_cast<int>(std::find(names.begin(), names.end(), now) - names.begin());
  const Face& words = ui.faces.words;
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float whole = room(ui), below = ui.px(20), beside = whole - words.width(p.label) - ui.px(20);
  // A few short names stand beside the label; more, or longer ones, below it; too many hang in a menu.
  const float needed = segments_width(ui, names, words);
  const bool inline_row = needed <= beside;
  const float width = inline_row ? std::max(needed, std::min(beside, whole / 2)) : whole;
  if (inline_row) ImGui::SetCursorScreenPos({row.x + whole - width, row.y - below - ui.px(2)});
  if (needed <= width) {
    const int clicked = segmented(ui, item(p), names, chosen, width, words);
    if (clicked >= 0) app.change(p.name, std::string(names[static_cast<std::size_t>(clicked)]));
  } else {
    const int clicked = choice_menu(ui, item(p), names, now, width);
    if (clicked >= 0) app.change(p.name, std::string(names[static_cast<std::size_t>(clicked)]));
  }
  ImGui::SetCursorScreenPos({row.x, inline_row ? row.y + ui.px(10) : row.y + ui.px(32)});
}

// Each component is a number that is dragged sideways; a double click types the whole vector.
void ParameterPanel::vector(App& app, Ui& ui, const Parameter& p) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float height = ui.px(24), whole = room(ui), label = ui.faces.words.width(p.label) + ui.px(24);
  const ImVec2 row = ImGui::GetCursorScreenPos();
  std::vector<double> components = app.settings().vector(p.name);
  // Two or three numbers stand beside their label, as the one number of a slider does; more get a row.
  const bool beside = components.size() <= 3 && label < whole / 2;
  const ImVec2 at(beside ? row.x + whole / 2 : row.x, beside ? row.y - ui.px(22) : row.y);
  const float width = beside ? whole / 2 : whole;
  const float end = at.y + height + ui.px(8);
  if (field(app, ui, p, at, width)) return ImGui::SetCursorScreenPos({row.x, end});
  const std::size_t shown = std::min<std::size_t>(components.size(), 6),
                    across = std::clamp<std::size_t>(shown, 1, 6);
  const float space = ui.px(4),
              cell = (width - space * static_cast<float>(across - 1)) / static_cast<float>(across);
  const SliderEnds ends = slider_ends(p);
  for (std::size_t i = 0; i < shown; ++i) {
    ImGui::SetCursorScreenPos({std::floor(at.x + (cell + space) * static_cast<float>(i)), at.y});
    const std::string name = item(p) + ":" + std::to_string(i);
    const Press c = press(ui, name, {std::floor(cell), height});
    draw.AddRectFilled(c.low, c.high, color(c.hovered || c.held ? ui.tokens.raised : ui.tokens.control),
                       ui.px(4));
    put(draw, ui.faces.numbers, c.high.x - ui.px(8), baseline_in(ui.faces.numbers, c.low.y, height),
        color(c.held ? ui.tokens.accent : ui.tokens.text),
        fitted(ui.faces.numbers, number_text(components[i], 4), cell - ui.px(12)), Align::right);
    if (c.hovered || c.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (c.right_clicked) app.reset(p.name);
    edit_by_keys(app, ui, p, c);
    if (c.focused)
      if (const Turn turn = take_turn(ui)) {
        const double step = (ends.high - ends.low) / 100;
        double& now = components[i];
        now = turn.to_start ? ends.low : turn.to_end ? ends.high : now + turn.steps * step;
        now = std::clamp(std::round(now * 1000) / 1000, p.min, p.max);
        app.change(p.name, components, "keys:" + name);
      }
    if (c.double_clicked || (c.started && ImGui::GetIO().KeyCtrl)) {
      edit(app, ui, p);
    } else if (c.held && ImGui::GetIO().MouseDelta.x != 0) {
      const double step = (ends.high - ends.low) / 400;
      const double moved = components[i] + step * ImGui::GetIO().MouseDelta.x / ui.scale;
      components[i] = std::clamp(std::round(moved * 1000) / 1000, p.min, p.max);
      app.change(p.name, components, name);
    }
  }
  if (shown < components.size())
    put(draw, ui.faces.small_numbers, at.x + width, at.y - ui.px(7), color(ui.tokens.faint),
        formatted("%zu numbers", components.size()), Align::right);
  ImGui::SetCursorScreenPos({row.x, end});
}

}  // namespace orrery::gui
