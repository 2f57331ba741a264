// What turns a parameter: the slider of a number, the alternatives of a choice, the components of a vector.
#include <algorithm>
#include <cmath>

#include "app/gui/choice_menu.h"
#include "app/gui/greyed.h"
#include "app/gui/marks.h"
#include "app/gui/number_text.h"
#include "app/gui/parameter_panel.h"
#include "app/gui/slider_scale.h"
#include "app/gui/typed_path.h"
#include "app/gui/value_words.h"

namespace orrery::gui {
namespace {

using parameter::Parameter;

constexpr float fine = 0.1f;  // of the way of the mouse, with Shift

/// Notches of the wheel over a control, with Ctrl: without it the panel scrolls.
int notches(const Press& control) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!control.hovered || !io.KeyCtrl || io.MouseWheel == 0) return 0;
  const int whole = static_cast<int>(std::lround(io.MouseWheel));
  return whole != 0 ? whole : io.MouseWheel > 0 ? 1 : -1;
}

parameter::Value turned(const Parameter& p, const parameter::Value& now, const Turn& turn) {
  const SliderEnds ends = slider_ends(p);
  if (turn.to_start) return nearest_allowed(p, ends.low);
  if (turn.to_end) return nearest_allowed(p, ends.high);
  const bool coarse = std::abs(turn.steps) >= 10;
  return nudged(p, now, coarse ? turn.steps / 10 : turn.steps, coarse);
}

}  // namespace

void ParameterPanel::turn_slider(App& app, Ui& ui, const Parameter& p, const Press& way) {
  const ImGuiIO& io = ImGui::GetIO();
  const std::string name(p.name);
  const float radius = ui.px(6), left = way.low.x + radius, travel = way.high.x - way.low.x - 2 * radius;
  const auto text = [&] { return app.settings().text(p.name); };
  if (way.right_clicked) app.reset(p.name);
  if (way.double_clicked) {
    app.change(p.name, before_, "slider:" + name);  // the first click moved it; it only wanted to type
    app.end_gesture();
    edit(ui, p, name, text());
  } else if (way.started && io.KeyCtrl) {
    edit(ui, p, name, text());
  } else if (way.started) {
    before_ = app.settings().value(p.name);
    turning_ = p.name;
    // With Shift it does not jump to the mouse: it begins where it is.
    fine_ = io.KeyShift
                ? static_cast<float>(slider_fraction(p, number_of(before_))) * travel - (io.MousePos.x - left)
                : 0;
  }
  if (way.held && turning_ == p.name && (editing_ != p.name || wrong_)) {
    if (io.KeyShift && !way.started) fine_ -= (1 - fine) * io.MouseDelta.x;
    const Pace pace = io.KeyShift ? Pace::fine : Pace::usual;
    const double value = slider_value(p, (io.MousePos.x - left + fine_) / travel, pace);
    app.change(p.name, nearest_allowed(p, value), "slider:" + name);
  } else if (turning_ == p.name) {
    turning_.clear();
  }
  edit_by_keys(ui, p, name, text(), way);
  if (const int steps = notches(way))
    app.change(p.name, nudged(p, app.settings().value(p.name), steps, io.KeyShift), "wheel:" + name);
  if (!way.focused) return;
  if (const Turn turn = take_turn(ui))
    app.change(p.name, turned(p, app.settings().value(p.name), turn), "keys:" + name);
}

void ParameterPanel::slider(App& app, Ui& ui, const Parameter& p) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Tokens& t = ui.tokens;
  const float width = room(ui), height = ui.px(20), radius = ui.px(6);
  const Press way = press(ui, item_name(p), {width, height});
  turn_slider(app, ui, p, way);

  const float left = way.low.x + radius, travel = width - 2 * radius;
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
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float whole = room(ui), below = ui.px(20);
  // A few short names stand beside the label; more, or longer ones, below it; too many hang in a menu.
  const ChoicePlace place = choice_place(ui, app.study(), p, whole);
  if (place.beside) ImGui::SetCursorScreenPos({row.x + whole - place.width, row.y - below - ui.px(2)});
  const auto chosen = static_cast<int>(std::find(names.begin(), names.end(), now) - names.begin());
  const std::vector<std::string> said = choices_in_words(ui, app.study(), p);
  const int clicked = place.menu
                          ? choice_menu(ui, item_name(p), names, said, now, place.width)
                          : segmented(ui, item_name(p), names, said, chosen, place.width, ui.faces.words);
  if (clicked >= 0) app.change(p.name, std::string(names[static_cast<std::size_t>(clicked)]));
  ImGui::SetCursorScreenPos({row.x, place.beside ? row.y + ui.px(10) : row.y + ui.px(32)});
}

/// A number that is dragged sideways, or typed by itself after a double click.
void ParameterPanel::component(App& app, Ui& ui, const Parameter& p, std::size_t i, ImVec2 at, float width) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float height = ui.px(24);
  const std::string short_name = std::string(p.name) + ":" + std::to_string(i),
                    name = "parameter:" + short_name;
  std::vector<double> components = entries_of(app.settings().value(p.name));
  double& now = components[i];
  const auto become = [&](double value, const std::string& gesture) {
    now = std::clamp(value, p.min, p.max);
    app.change(p.name, with_entries(app.settings().value(p.name), components), gesture);
  };
  const auto typed = [&](const std::string& text) { return app.change_component(p, i, text); };
  if (field(app, ui, p, short_name, at, width, typed)) return;
  ImGui::SetCursorScreenPos(at);
  const Press c = press(ui, name, {width, height});
  draw.AddRectFilled(c.low, c.high, color(c.hovered || c.held ? ui.tokens.raised : ui.tokens.control),
                     ui.px(4));
  const std::string text = entry_text(now);
  const bool long_one = ui.faces.numbers.width(text) > room_in_entry(ui, width);
  const Face& face = long_one ? ui.faces.small_numbers : ui.faces.numbers;
  const float beside = long_one ? ui.px(4) : ui.px(8);
  put(draw, face, c.high.x - beside, baseline_in(face, c.low.y, height),
      color(c.held ? ui.tokens.accent : ui.tokens.text), fitted(face, text, width - 2 * beside),
      Align::right);
  if (c.hovered || c.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (c.right_clicked) app.reset(p.name);
  edit_by_keys(ui, p, short_name, parameter::shortest(now), c);
  const ImGuiIO& io = ImGui::GetIO();
  if (c.focused)
    if (const Turn turn = take_turn(ui)) return become(number_of(turned(p, now, turn)), "keys:" + name);
  if (const int steps = notches(c))
    return become(number_of(nudged(p, now, steps, io.KeyShift)), "wheel:" + name);
  if (c.double_clicked || (c.started && io.KeyCtrl)) return edit(ui, p, short_name, parameter::shortest(now));
  if (!c.held || io.MouseDelta.x == 0) return;
  const double moved = slider_fraction(p, now) + (io.KeyShift ? fine : 1) * io.MouseDelta.x / ui.scale / 400;
  become(slider_value(p, moved, Pace::fine), name);
}

/// At the right end of the label's line: all numbers as one text, more than are shown or another number of them.
void ParameterPanel::type_all(App& app, Ui& ui, const Parameter& p, const std::string& text) {
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float right = row.x + room(ui);
  const Face& face = ui.faces.small_numbers;
  const float wide = face.width(text);
  ImGui::SetCursorScreenPos({right - wide - ui.px(4), row.y - ui.px(20)});
  const Press p_all = press(ui, "all:" + std::string(p.name), {wide + ui.px(4), ui.px(20)}, Tab::passes);
  put(*ImGui::GetWindowDrawList(), face, right, baseline_in(face, p_all.low.y, ui.px(20)),
      color(p_all.hovered ? ui.tokens.text : ui.tokens.faint), text, Align::right);
  if (p_all.clicked) edit(ui, p, p.name, app.settings().text(p.name));
  ImGui::SetCursorScreenPos(row);
}

void ParameterPanel::vector(App& app, Ui& ui, const Parameter& p) {
  const float height = ui.px(24), whole = room(ui);
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const std::vector<double>& numbers = app.settings().vector(p.name);
  const std::size_t count = numbers.size();
  // Two or three numbers stand beside their label, as the one number of a slider does; more, or longer ones, get a row. None
  // moves away from under the mouse that turns it.
  const auto [place, fresh] = beside_.try_emplace(std::string(p.name));
  if (fresh || !ImGui::IsMouseDown(ImGuiMouseButton_Left))
    place->second = vector_beside(ui, p, numbers, whole);
  const bool beside = place->second;
  const ImVec2 at(beside ? row.x + whole / 2 : row.x, beside ? row.y - ui.px(22) : row.y);
  const float width = beside ? whole / 2 : whole;
  const float end = at.y + height + ui.px(8);
  const auto all = [&](const std::string& text) { return app.change_text(p.name, text); };
  if (field(app, ui, p, p.name, at, width, all)) return ImGui::SetCursorScreenPos({row.x, end});
  const std::size_t shown = std::min(count, most_shown);
  const float space = ui.px(space_between), cell = entry_width(ui, shown, width);
  if (count == 0) {  // nothing yet: a place to type the first
    ImGui::SetCursorScreenPos(at);
    const Press none = press(ui, "parameter:" + std::string(p.name), {width, height});
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(none.low, none.high, color(none.hovered ? ui.tokens.raised : ui.tokens.control),
                       ui.px(4));
    put(draw, ui.faces.words, none.low.x + ui.px(10), baseline_in(ui.faces.words, none.low.y, height),
        color(ui.tokens.faint), ui.say("none"));
    if (none.clicked) edit(ui, p, p.name, "");
  }
  for (std::size_t i = 0; i < shown; ++i)
    component(app, ui, p, i, {std::floor(at.x + (cell + space) * static_cast<float>(i)), at.y},
              std::floor(cell));
  ImGui::SetCursorScreenPos(row);
  if (p.length == 0 && !beside)
    type_all(app, ui, p, shown < count ? ui.say("{} numbers", count) : ui.say("type all"));
  ImGui::SetCursorScreenPos({row.x, end});
}

/// A row of cells for each row of the matrix, as far as there is room for them.
void ParameterPanel::matrix(App& app, Ui& ui, const Parameter& p) {
  const float height = ui.px(24), space = ui.px(space_between), whole = room(ui);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto all = [&](const std::string& text) { return app.change_text(p.name, text); };
  if (field(app, ui, p, p.name, at, whole, all))
    return ImGui::SetCursorScreenPos({at.x, at.y + height + ui.px(8)});
  const parameter::Matrix now = app.settings().matrix(p.name);
  const std::size_t rows = std::min(now.rows, most_shown), columns = std::min(now.columns, most_shown);
  const float cell = entry_width(ui, columns, whole);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      component(app, ui, p, r * now.columns + c,
                {std::floor(at.x + (cell + space) * static_cast<float>(c)),
                 at.y + (height + space) * static_cast<float>(r)},
                std::floor(cell));
  ImGui::SetCursorScreenPos(at);
  const bool hidden = rows < now.rows || columns < now.columns;
  type_all(app, ui, p, hidden ? ui.say("{} × {} numbers", now.rows, now.columns) : ui.say("type all"));
  const auto tall = static_cast<float>(shown_rows(now));
  ImGui::SetCursorScreenPos({at.x, at.y + (height + space) * tall + ui.px(4)});
}

/// A box with a text in it, pale where nothing was given, that becomes a field when it is clicked.
void ParameterPanel::text_box(App& app, Ui& ui, const Row& row, ImVec2 at, float width,
                              const std::string& text, bool given) {
  const Parameter& p = row.p;
  const float height = ui.px(24), inset = ui.px(8);
  ImGui::SetCursorScreenPos(at);
  const Press box = press(ui, item_name(p), {width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(box.low, box.high, color(box.hovered ? ui.tokens.raised : ui.tokens.control), ui.px(4));
  put(draw, ui.faces.words, at.x + inset, baseline_in(ui.faces.words, at.y, height),
      color(given ? ui.tokens.text : ui.tokens.faint), text);
  if (box.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  const std::string typed = app.settings().text(p.name);
  if (box.clicked && !box.by_key) edit(ui, p, p.name, typed);
  edit_by_keys(ui, p, p.name, typed, box);
  if (box.right_clicked) app.reset(p.name);
}

/// A line of words: its beginning, until it is clicked.
void ParameterPanel::words(App& app, Ui& ui, const Row& row) {
  const ImVec2 at(row.at.x, row.at.y + ui.px(20));
  const auto take = [&](const std::string& text) { return app.change_text(row.p.name, text); };
  if (!field(app, ui, row.p, row.p.name, at, row.width, take)) {
    const std::string text = app.settings().text(row.p.name);
    text_box(app, ui, row, at, row.width,
             fitted(ui.faces.words, text.empty() ? ui.say("Type some words") : text, row.width - ui.px(16)),
             !text.empty());
  }
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(30)});
}

/// A field that shows the end of a path, which tells files apart, until it is clicked; the folder beside it looks for one.
void ParameterPanel::file(App& app, Ui& ui, const Row& row) {
  const Parameter& p = row.p;
  const ImVec2 at(row.at.x, row.at.y + ui.px(20));
  const float height = ui.px(24), folder = ui.px(30), width = row.width - folder - ui.px(4);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto take = [&](const std::string& text) { return app.change_text(p.name, typed_path(text)); };
  if (!field(app, ui, p, p.name, at, width, take)) {
    const std::string path = app.settings().text(p.name);
    const std::string text = path.empty() ? ui.say("Type a path, or drop a file") : shown_path(path);
    text_box(app, ui, row, at, width, fitted_end(ui.faces.words, text, width - ui.px(16)), !path.empty());
  }
  ImGui::SetCursorScreenPos({at.x + width + ui.px(4), at.y});
  if (button(ui, "browse:" + std::string(p.name), "", {folder, height}))
    picker_.open({.title = "Choose a file",
                  .purpose = std::string(p.name),
                  .takes = std::string(p.takes),
                  .now = app.settings().text(p.name),
                  .recent = app.recent()});
  folder_mark(draw, {at.x + row.width - folder / 2, at.y + height / 2}, ui.px(13),
              color(ui.tokens.secondary));
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(30)});
  offer_elsewhere(app, ui, row);
}

/// The other studies that are made for the same file, one click away.
void ParameterPanel::offer_elsewhere(App& app, Ui& ui, const Row& row) {
  const std::string path = app.settings().text(row.p.name);
  if (path.empty() || !app.complaint(row.p).empty()) return;
  float y = row.at.y + ui.px(50);
  for (const study::Study* study : study::studies()) {
    if (study == &app.study()) continue;
    const auto same = std::ranges::find_if(study->parameters, [&](const Parameter& p) {
      return p.kind == parameter::Kind::file && p.takes == row.p.takes && p.name == row.p.name;
    });
    if (same == study->parameters.end()) continue;
    ImGui::SetCursorScreenPos({row.at.x, y});
    const std::string title = fitted(ui.faces.words, ui.say(study->title), row.width - ui.px(16));
    if (button(ui, "elsewhere:" + std::string(study->id), title, {row.width, ui.px(24)})) {
      elsewhere_ = [&app, study, same = *same, path] { app.hand_over(*study, same, path); };
    }
    y += ui.px(28);
  }
  ImGui::SetCursorScreenPos({row.at.x, y});
}

}  // namespace orrery::gui
