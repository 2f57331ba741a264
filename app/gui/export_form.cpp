// The rows of the export dialog: the format, the page, and how a motion runs.
#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "app/figure/page_size.h"
#include "app/gui/export_popup.h"
#include "app/gui/form.h"
#include "app/gui/slider_scale.h"
#include "app/gui/speech.h"
#include "app/language/error.h"
#include "app/recipe/page_fields.h"

namespace orrery::gui {
namespace {

using Names = std::initializer_list<std::string_view>;

bool choose_number(Ui& ui, std::string_view label, std::string_view id, Names names, std::string_view unit,
                   int& now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, label), right = ImGui::GetCursorScreenPos().x + width;
  const float behind = unit.empty() ? 0 : ui.faces.words.width(unit) + ui.px(12);
  const auto chosen = std::find(names.begin(), names.end(), std::to_string(now)) - names.begin();
  const int clicked = segmented(ui, id, {names.begin(), names.size()}, static_cast<int>(chosen),
                                width - behind, ui.faces.numbers);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, right, baseline_in(ui.faces.words, at.y, ui.px(24)),
      color(ui.tokens.faint), unit, Align::right);
  next_row(ui, at);
  if (clicked < 0) return false;
  now = std::stoi(std::string(names.begin()[clicked]));
  return true;
}

/// Of the figure's words, each by its own name; no row where this machine can show only English.
void choose_language(Ui& ui, std::string_view label, std::string_view id, language::Language& now) {
  std::vector<std::string_view> names;
  for (const language::Named& each : language::languages())
    if (why_not_shown(each.language).empty()) names.push_back(each.own_name);
  if (names.size() < 2) return;
  std::string chosen(language::own_name(now));
  if (!choose(ui, label, id, names, chosen)) return;
  for (const language::Named& each : language::languages())
    if (each.own_name == chosen) now = each.language;
}

const parameter::Parameter& moved_by(const App& app, const recipe::Animation& way) {
  return *std::ranges::find(app.study().parameters, way.parameter, &parameter::Parameter::name);
}

/// The same as the button below the parameter's slider.
void at_the_end(App& app, Ui& ui, const recipe::Animation& way) {
  static constexpr std::array<std::string_view, 3> words{"begins anew", "turns back", "stops"};
  std::string chosen(words[static_cast<std::size_t>(way.loop)]);
  if (!choose(ui, ui.say("At its end"), "page-loop", words, chosen)) return;
  const parameter::Parameter& p = moved_by(app, way);
  Motion motion = app.motion(p);
  motion.loop = static_cast<Loop>(std::ranges::find(words, chosen) - words.begin());
  app.set_motion(p, motion);
}

/// Of all formats: the controls of one stand where those of another do.
std::vector<std::string> row_labels(const Ui& ui) {
  std::vector<std::string> all;
  for (const std::string_view label : {"Format", "Frames", "Speed", "At its end", "Folder", "File"})
    all.push_back(ui.say(label));
  for (const recipe::PageField& field : recipe::page_fields())
    if (!std::holds_alternative<bool recipe::Recipe::*>(field.member)) all.push_back(ui.say(field.label));
  return all;
}

/// What is wrong with the row above.
void fault(Ui& ui, std::string_view name, const std::exception& error) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  wrapped_print(ui, ui.faces.words, ui.tokens.fails, language::say_error(ui.language, complaint_of(error)));
  ui.items.mark(name, at, ImGui::GetItemRectMax());
  gap(ui, 8);
}

/// "8.5 × 6 cm"
std::string centimetres(const figure::NamedSize& size) {
  return parameter::shortest(size.width_mm / 10) + " \u00D7 " + parameter::shortest(size.height_mm / 10) +
         " cm";
}

/// Its name, what it measures, and room around and between them.
float size_width(const Ui& ui, const figure::NamedSize& named) {
  return ui.faces.words.width(said_in(ui, "size", named.name)) +
         ui.faces.small_numbers.width(centimetres(named)) + ui.px(32);
}

/// Two columns of buttons, each as wide as its own need more than its half of what is left.
std::array<float, 2> size_columns(const Ui& ui, float width) {
  std::array<float, 2> columns{};
  std::size_t place = 0;
  for (const figure::NamedSize& named : figure::named_sizes()) {
    float& own = columns[place++ % 2];
    own = std::max(own, size_width(ui, named));
  }
  const float spare = std::floor((width - columns[0] - columns[1]) / 2);
  for (float& own : columns) own = std::max(ui.px(24), own + spare);
  return columns;
}

/// Where there is no room for what it measures, only its help says it.
bool size_button(Ui& ui, const figure::NamedSize& named, ImVec2 size, bool chosen) {
  const Press p = press(ui, "size=" + std::string(named.name), size);
  const Tokens& t = ui.tokens;
  const Face &words = ui.faces.words, &numbers = ui.faces.small_numbers;
  const bool whole = size_width(ui, named) <= size.x;
  const float inset = ui.px(10);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(p.low, p.high, color(chosen ? t.chosen : t.control), ui.px(4));
  put(draw, words, p.low.x + inset, baseline_in(words, p.low.y, size.y),
      color(chosen      ? t.on_chosen
            : p.hovered ? t.text
                        : t.secondary),
      fitted(words, said_in(ui, "size", named.name), size.x - 2 * inset));
  if (whole)
    put(draw, numbers, p.high.x - inset, baseline_in(numbers, p.low.y, size.y),
        color(chosen && ui.theme->high_contrast ? t.on_chosen : t.faint), centimetres(named), Align::right);
  help(ui, p, ui.say(named.use) + (whole ? "" : ", " + centimetres(named)));
  return p.clicked;
}

/// A row for a field of the page, by what it is.
struct FieldRow {
  App& app;
  Ui& ui;
  const recipe::PageField& field;
  recipe::Recipe& recipe;  ///< holds the page

  std::string id() const { return "page-" + std::string(field.key); }
  void operator()(figure::Size recipe::Recipe::*) const {}
  void operator()(std::string recipe::Recipe::*text) const {
    if (field.names == nullptr) {
      typed_row(ui, ui.say(field.label), id(), recipe.*text, hint());
      return;
    }
    // The usual one first.
    std::vector<std::string_view> names;
    for (const std::string_view name : field.names()) names.push_back(name);
    std::ranges::rotate(names, std::ranges::find(names, recipe::Recipe().*text));
    choose(ui, ui.say(field.label), id(), names, recipe.*text);
  }
  void operator()(bool recipe::Recipe::*on) const {
    recipe.*on = switched(ui, ui.say(field.label), id(), recipe.*on);
    if (field.instead && recipe.*on && app.result())
      typed_row(ui, "", "own-" + std::string(field.key), recipe.*field.instead,
                language::translate(recipe.language, app.result()->result.figure.title));
  }
  /// Of pixels: only where there are some.
  void operator()(double recipe::Recipe::*value) const {
    if (app.page.ending != "png" && !app.page.motion()) return;
    int number = dpi_of(app.page);
    if (choose_number(ui, ui.say(field.label), id(), {"96", "150", "300", "600"}, field.key, number))
      recipe.*value = number;
  }
  void operator()(language::Language recipe::Recipe::*spoken) const {
    choose_language(ui, ui.say(field.label), id(), recipe.*spoken);
  }

 private:
  /// The theme's own family.
  std::string_view hint() const {
    const figure::Fonts& fonts = figure::theme_by_name(recipe.theme).fonts;
    return field.key == "font" ? fonts.words : fonts.math;
  }
};

}  // namespace

void ExportPopup::format(App& app, Ui& ui) {
  make_room_for(ui, row_labels(ui));
  static constexpr std::array<std::string_view, 8> endings{"pdf",  "svg", "png", "tex",
                                                           "webp", "csv", "npy", "md"};
  choose(ui, ui.say("Format"), "ending", endings, app.page.ending);
  static constexpr std::array<std::string_view, 8> words{
      "vectors, for a document",
      "vectors, for the web",
      "pixels",
      "PGFPlots, set by LaTeX with the fonts of its document",
      "what plays, as one animated picture",
      "the numbers, as a spreadsheet reads them",
      "the numbers, as NumPy reads them",
      "the numbers, as a table in a text"};
  const auto chosen = std::find(endings.begin(), endings.end(), app.page.ending) - endings.begin();
  small_print(ui, ui.faces.words, ui.tokens.faint, ui.say(words[static_cast<std::size_t>(chosen)]));
  gap(ui, 6);
}

/// From where to where, as the row below the parameter's slider has it; it is checked as it is typed.
void ExportPopup::ends(App& app, Ui& ui, const recipe::Animation& way) {
  const parameter::Parameter& p = moved_by(app, way);
  if (!ends_typed_ && !ends_wrong_) {
    from_ = taken_from_ = parameter::shortest(way.from);
    to_ = taken_to_ = parameter::shortest(way.to);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, ui.say(p.label)), left = ImGui::GetCursorScreenPos().x;
  const float between = ui.px(28), each = std::floor((width - between) / 2);
  const Field from = text_field(ui, "page-from", from_, "", each);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, left + each + between / 2,
      baseline_in(ui.faces.words, at.y, ui.px(24)), color(ui.tokens.secondary), ui.say("to"), Align::center);
  ImGui::SetCursorScreenPos({left + each + between, at.y});
  const Field to = text_field(ui, "page-to", to_, "", each);
  next_row(ui, at);
  ends_typed_ = from.active || to.active;
  ends_wrong_ = false;
  try {
    const double low = number_of(parameter::parse(p, from_)), high = number_of(parameter::parse(p, to_));
    Motion motion = app.motion(p);
    // What was typed while the other end was wrong is taken now.
    if (from_ != taken_from_) motion.from = low;
    if (to_ != taken_to_) motion.to = high;
    taken_from_ = from_, taken_to_ = to_;
    app.set_motion(p, motion, "page ends");
    recipe::Animation asked = way;
    asked.from = low;
    asked.to = high;
    recipe::validate(asked, app.settings());
  } catch (const std::exception& error) {
    wrong_ = ends_wrong_ = true;
    fault(ui, "page-ends-error", error);
  }
}

void ExportPopup::motion(App& app, Ui& ui) {
  const auto way = app.animation();
  if (!way) {
    wrong_ = true;
    return small_print(ui, ui.faces.words, ui.tokens.fails,
                       ui.say("Nothing in this study plays: choose a picture."));
  }
  choose_number(ui, ui.say("Frames"), "frames", {"24", "48", "96", "192"}, "", app.page.frames);
  int fps = static_cast<int>(app.page.fps);
  if (choose_number(ui, ui.say("Speed"), "fps", {"12", "24", "30"}, ui.say("frames a second"), fps))
    app.page.fps = fps;
  ends(app, ui, *way);
  at_the_end(app, ui, *way);
}

/// Those that documents keep asking for, with what they measure; any other is typed, and checked as it is.
void ExportPopup::size(App& app, Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, ui.say("Size")), left = ImGui::GetCursorScreenPos().x;
  const float gap_between = ui.px(4), height = ui.px(24);
  const std::array<float, 2> columns = size_columns(ui, width - gap_between);
  const figure::Size now = recipe_size(app.page);
  std::size_t place = 0;
  for (const figure::NamedSize& named : figure::named_sizes()) {
    const std::size_t column = place % 2;
    ImGui::SetCursorScreenPos({left + (column == 0 ? 0 : columns[0] + gap_between),
                               at.y + static_cast<float>(place / 2) * (height + gap_between)});
    ++place;
    const figure::Size own = figure::parse_size(named.name);
    const bool chosen = std::abs(own.width - now.width) < 1e-6 && std::abs(own.height - now.height) < 1e-6;
    if (!size_button(ui, named, {columns[column], height}, chosen)) continue;
    size_ = app.page.size = named.name;
    if (figure::stands_alone(own)) app.page.title = true;
  }
  ImGui::SetCursorScreenPos({at.x, at.y + 2 * (height + gap_between)});
  const Field typing = typed_row(ui, "", "size-field", size_, "12cm\u00D78cm");
  try {
    figure::parse_size(size_);
    app.page.size = size_;
  } catch (const std::exception& error) {
    wrong_ = true;
    fault(ui, "size-error", error);
    if (typing.entered) ui.focus.set("size-field");  // to be typed again
  }
}

/// What is chosen, then what is switched on or off.
void ExportPopup::page(App& app, Ui& ui) {
  size(app, ui);
  recipe::Recipe recipe;
  static_cast<recipe::Page&>(recipe) = app.page;
  for (const bool switches : {false, true})
    for (const recipe::PageField& field : recipe::page_fields()) {
      const bool is_switch = std::holds_alternative<bool recipe::Recipe::*>(field.member);
      // LaTeX sets it on the ground of its document; elsewhere than in an SVG words are text or pixels anyway.
      const bool idle = (app.page.ending == "tex" && field.key == "transparent") ||
                        (app.page.ending != "svg" && field.key == "svg_text");
      if (is_switch == switches && !idle) std::visit(FieldRow{app, ui, field, recipe}, field.member);
    }
  static_cast<recipe::Page&>(app.page) = recipe;
}

}  // namespace orrery::gui
