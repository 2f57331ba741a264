#include "app/gui/greyed.h"

#include <algorithm>
#include <cmath>

#include "app/gui/number_text.h"
#include "app/gui/value_words.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

using parameter::Kind;
using parameter::Parameter;

const Parameter* declared(const App& app, std::string_view name) {
  for (const Parameter& p : app.study().parameters)
    if (p.name == name) return &p;
  return nullptr;
}

/// "Model: own or another" of choices; "no config.json" of a file.
std::string wanted(const Ui& ui, const study::Study& study, const Parameter& other,
                   const parameter::Condition& condition) {
  std::string text;
  for (std::size_t i = 0; i < condition.values.size(); ++i) {
    if (i > 0) text += i + 1 == condition.values.size() ? " " + ui.say("or") + " " : ", ";
    text += condition.values[i].empty() ? ui.say("none") : value_words(ui, study, other, condition.values[i]);
  }
  return ui.say(other.label) + ": " + text;
}

/// What a control of this kind takes below the line of its label.
float height_below(const Ui& ui, const App& app, const Parameter& p, float width) {
  switch (p.kind) {
    case Kind::integer:
    case Kind::real:
      return ui.px(20);
    case Kind::toggle:
      return ui.px(6);
    case Kind::choice:
      return choice_place(ui, app.study(), p, width).beside ? ui.px(10) : ui.px(32);
    case Kind::vector:
      return vector_beside(ui, p, app.settings().vector(p.name), width) ? ui.px(10) : ui.px(32);
    case Kind::matrix:
      return ui.px(32);
    case Kind::file:
    case Kind::text:
      break;
  }
  return ui.px(30);
}

}  // namespace

ChoicePlace choice_place(const Ui& ui, const study::Study& study, const Parameter& p, float room) {
  const Face& words = ui.faces.words;
  const std::vector<std::string> said = choices_in_words(ui, study, p);
  const std::vector<std::string_view> items(said.begin(), said.end());
  const float needed = segments_width(ui, items, words);
  const float beside = room - words.width(ui.say(p.label)) - ui.px(24);
  if (needed <= beside) return {.beside = true, .width = std::max(needed, std::min(beside, room / 2))};
  return {.menu = needed > room, .width = room};
}

std::size_t shown_rows(const parameter::Matrix& m) {
  return std::clamp<std::size_t>(m.rows, 1, most_shown);
}

float entry_width(const Ui& ui, std::size_t components, float width) {
  const auto across = static_cast<float>(std::max<std::size_t>(components, 1));
  return (width - ui.px(space_between) * (across - 1)) / across;
}

float room_in_entry(const Ui& ui, float entry) {
  return std::floor(entry) - ui.px(12);
}

std::string entry_text(double component) {
  return number_text(component, 4);
}

bool vector_beside(const Ui& ui, const Parameter& p, std::span<const double> components, float room) {
  if (components.size() > 3 || ui.faces.words.width(ui.say(p.label)) + ui.px(28) >= room / 2) return false;
  const float each = room_in_entry(ui, entry_width(ui, components.size(), room / 2));
  return std::ranges::all_of(components,
                             [&](double x) { return ui.faces.numbers.width(entry_text(x)) <= each; });
}

void greyed_row(const App& app, Ui& ui, const Parameter& p, const parameter::Condition& condition) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), height = ui.px(20), below = height_below(ui, app, p, width);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 ink = color(ui.tokens.faint, 0.75);
  const std::string label = ui.say(p.label);
  const Face& words = ui.faces.words;
  const bool number = p.kind == Kind::integer || p.kind == Kind::real;
  const bool several = p.kind == Kind::vector || p.kind == Kind::matrix;
  const Face& face = number || several ? ui.faces.numbers : words;
  // It cannot be turned, but the keyboard comes by: it says why.
  const Press row = press(ui, "parameter:" + std::string(p.name), {width, height + below});
  put(draw, words, at.x, baseline_in(words, at.y, height), ink, label);
  const std::string value = value_words(ui, app.study(), p, value_text(app.settings().value(p.name)));
  if (!number && below > ui.px(20)) {  // its control stands below the label
    const ImVec2 low(at.x, at.y + height), high(at.x + width, at.y + height + ui.px(24));
    draw.AddRectFilled(low, high, color(ui.tokens.control, 0.6), ui.px(4));
    put(draw, face, low.x + ui.px(10), baseline_in(face, low.y, high.y - low.y), ink,
        fitted_end(face, value, width - ui.px(20)));
  } else {
    put(draw, face, at.x + width, baseline_in(face, at.y, height), ink,
        fitted(face, value, width - words.width(label) - ui.px(16)), Align::right);
  }
  if (number) {
    const float y = at.y + height + std::floor(ui.px(10)) - ui.px(2), thick = ui.px(4);
    draw.AddRectFilled({at.x, y - thick / 2}, {at.x + width, y + thick / 2}, color(ui.tokens.control),
                       thick / 2);
  }
  ui.items.mark("greyed:" + std::string(p.name), row.low, row.high);
  if (const Parameter* other = declared(app, condition.name))
    help(ui, row, ui.say("Not read now. It is with {}.", wanted(ui, app.study(), *other, condition)));
  ImGui::SetCursorScreenPos({at.x, at.y + height + below});
}

}  // namespace orrery::gui
