#include <algorithm>
#include <vector>

#include "app/gui/changes_text.h"
#include "app/gui/formula_breaks.h"
#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/rich_text.h"
#include "app/gui/source_links.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "app/study/kit/worked.h"

namespace orrery::gui {
namespace {

constexpr double formula_size = 16, worked_size = 13;
constexpr double least_size = 9, broken_size = 11;  // that can be read; of what has several lines

float formula_width(Ui& ui, std::string_view tex, double size = formula_size) {
  const double width = ui.pictures.setter(ui.theme->fonts).measure_formula(tex, size).width;
  return static_cast<float>(width) * ui.scale;
}

/// As many statements to a line as the pane is wide.
std::vector<std::string_view> formula_lines(Ui& ui, std::string_view tex, float width) {
  std::vector<std::string_view> lines;
  for (const std::string_view statement : study::statements(tex)) {
    if (!lines.empty()) {
      const std::string_view joined(lines.back().data(),
                                    static_cast<std::size_t>(statement.end() - lines.back().begin()));
      if (formula_width(ui, joined) <= width) {
        lines.back() = joined;
        continue;
      }
    }
    lines.push_back(statement);
  }
  return lines;
}

/// As it is, or smaller where it is wider than the pane.
double fitting_size(Ui& ui, std::string_view tex, float width, double size) {
  const double wide = formula_width(ui, tex, size);
  return wide > width ? std::max(least_size, std::floor(size * width / wide * 4) / 4) : size;
}

struct FormulaLine {
  std::string_view tex;
  double size;
  float indent, ascent, descent;
  bool cut = false;  ///< wider than the pane at the least size, with nowhere to be broken
};

/// One line, smaller where it must be; where it would be too small to read, several of them.
void add_lines(Ui& ui, std::vector<FormulaLine>& lines, std::string_view tex, float width, float indent,
               double size) {
  const auto add = [&](std::string_view part, float further, double largest) {
    const float room = width - indent - further;
    const double fitting = fitting_size(ui, part, room, largest);
    const figure::Extent extent = ui.pictures.setter(ui.theme->fonts).measure_formula(part, fitting);
    lines.push_back({part, fitting, indent + further, static_cast<float>(extent.ascent) * ui.scale,
                     static_cast<float>(extent.descent) * ui.scale,
                     static_cast<float>(extent.width) * ui.scale > room + ui.px(1)});
  };
  add(tex, 0, size);
  if (!lines.back().cut) return;
  lines.pop_back();
  const float step = ui.px(18);
  bool first = true;
  for (const std::string_view piece : formula_pieces(tex, [&](std::string_view part, bool begins) {
         return formula_width(ui, part, broken_size) <= width - indent - (begins ? 0 : step);
       })) {
    add(piece, first ? 0 : step, broken_size);
    first = false;
  }
}

/// What is cut ends with an ellipsis.
void draw_line(Ui& ui, const FormulaLine& line, float left, float right, float top, figure::Color ink) {
  const Picture& picture =
      ui.pictures.formula(ui.theme->fonts, line.tex, line.size, double{ui.scale} * ui.raster);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float x = left + line.indent, baseline = top + line.ascent;
  if (!line.cut) return draw_picture(ui, draw, picture, x, baseline, ink);
  constexpr std::string_view dots = "\u2026";
  const float end = right - ui.faces.words.width(dots);
  draw.PushClipRect({x - ui.px(2), top - ui.px(4)}, {end, baseline + line.descent + ui.px(4)}, true);
  draw_picture(ui, draw, picture, x, baseline, ink);
  draw.PopClipRect();
  put(draw, ui.faces.words, end, baseline, color(ink), dots);
}

void formula(Ui& ui, std::string_view tex) {
  const float width = room(ui);
  std::vector<FormulaLine> lines;
  for (const std::string_view line : formula_lines(ui, tex, width))
    add_lines(ui, lines, line, width, 0, formula_size);
  bool first = true;
  for (const FormulaLine& line : lines) {
    if (!first) gap(ui, 5);
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_line(ui, line, at.x, at.x + width, at.y, ui.tokens.text);
    ImGui::Dummy({width, line.ascent + line.descent});
    help(ui, line.cut && ImGui::IsItemHovered(), line.tex);
  }
}

/// Statements each on a line of its own, so that numbers that move make no line longer or shorter than itself; where one is
/// wider than the pane, what comes of it stands below.
std::vector<FormulaLine> worked_lines(Ui& ui, std::string_view tex, float width) {
  std::vector<FormulaLine> lines;
  for (const std::string_view statement : study::statements(tex)) {
    const std::size_t result = study::result_of_statement(statement);
    const bool breaks = result > 0 && formula_width(ui, statement, worked_size) > width;
    add_lines(ui, lines, statement.substr(0, breaks ? result : statement.size()), width, 0, worked_size);
    if (breaks) add_lines(ui, lines, statement.substr(result), width, ui.px(18), worked_size);
  }
  return lines;
}

/// A click copies its TeX.
void worked(App& app, Ui& ui, const recipe::Outcome* outcome) {
  const float width = room(ui), between = ui.px(6);
  const std::vector<FormulaLine> lines = worked_lines(ui, outcome->result.worked, width);
  float height = -between;
  for (const FormulaLine& line : lines) height += line.ascent + line.descent + between;
  const Press p = press(ui, "worked", {width, height}, Tab::stops);
  const bool of_before = !app.error().empty();
  const figure::Color ink = p.hovered ? ui.tokens.text : of_before ? ui.tokens.faint : ui.tokens.secondary;
  float top = p.low.y;
  std::string cut;
  for (const FormulaLine& line : lines) {
    draw_line(ui, line, p.low.x, p.high.x, top, ink);
    if (line.cut) cut += std::string(line.tex) + ". ";
    top += line.ascent + line.descent + between;
  }
  gap(ui, 8);
  const std::string what = ui.say("the formula with its numbers, as TeX");
  help(ui, p, cut + ui.say("Click: copy {}", what));
  if (p.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!p.clicked) return;
  ImGui::SetClipboardText(outcome->result.worked.c_str());
  app.say(Notice::Kind::done, ui.say("copied: {}", what));
}

void paragraph(Ui& ui, const Face& face, figure::Color ink, std::string_view text) {
  const float width = room(ui);
  const float height =
      rich_text(ui, *ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width, face, ink, text).height;
  ImGui::Dummy({width, height});
}

/// A click copies the links of its papers, or, where it has none, the words.
void source(App& app, Ui& ui, std::string_view words) {
  const std::string text = ui.say(words);
  std::string copied;
  for (const std::string& link : source_links(words)) copied += (copied.empty() ? "" : "\n") + link;
  if (copied.empty()) copied = text;
  const float width = room(ui), height = rich_height(ui, width, ui.faces.words, text);
  const Press p = press(ui, "source", {width, height}, Tab::stops);
  rich_text(ui, *ImGui::GetWindowDrawList(), p.low, width, ui.faces.words,
            p.hovered ? ui.tokens.text : ui.tokens.faint, text);
  std::string shown = copied;
  std::ranges::replace(shown, '\n', ' ');
  help(ui, p, ui.say("Click: copy {}", shown));
  if (p.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!p.clicked) return;
  ImGui::SetClipboardText(copied.c_str());
  app.say(Notice::Kind::done, ui.say("copied: {}", shown));
}

/// What the try has changed, and the way back.
void just_tried(App& app, Ui& ui, const App::Tried& tried, float indent) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui) - indent, line = ui.px(19);
  const std::string text = changes_text(ui, app.study(), tried.before, tried.after), back = ui.say("Back");
  const Face& words = ui.faces.words;
  const TextBlock block =
      rich_text(ui, *ImGui::GetWindowDrawList(), {at.x + indent, at.y}, width, words, ui.tokens.text, text);
  ui.items.mark("try-changes", {at.x + indent, at.y}, {at.x + indent + width, at.y + block.height});
  const float wide = words.width(back) + ui.px(14);
  const bool beside = block.last_line + ui.px(10) + wide <= width;
  const float top = at.y + block.height - (beside ? line : 0);
  ImGui::SetCursorScreenPos({at.x + indent + width - wide, top});
  if (button(ui, "try-back", back, {wide, line})) app.untry();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({room(ui), top + line - at.y + ui.px(4)});
}

/// What it would change, said before it is done.
std::string try_help(const App& app, const Ui& ui, const study::Try& suggestion) {
  try {
    const std::string text = changes_text(ui, app.study(), app.settings(), app.tried(suggestion));
    return text.empty() ? ui.say("so it is set now") : text;
  } catch (const std::exception& error) {
    return language::say_error(ui.language, complaint_of(error));
  }
}

}  // namespace

void about_section(App& app, Ui& ui) {
  const study::Study& study = app.study();
  if (!ui.sections.head(app, ui, "about", ui.say("What it shows"))) return;
  gap(ui, 6);
  if (!study.formula.empty()) {
    formula(ui, study.formula);
    gap(ui, 8);
  }
  paragraph(ui, ui.faces.words, ui.tokens.secondary, ui.say(study.about));
  if (!study.source.empty()) {
    gap(ui, 2);
    source(app, ui, study.source);
  }
}

void worked_section(App& app, Ui& ui) {
  const recipe::Outcome* outcome = app.result();
  if (!outcome || outcome->study != &app.study() || outcome->result.worked.empty()) return;
  if (!ui.sections.head(app, ui, "worked", ui.say("The formula with these numbers"))) return;
  gap(ui, 6);
  worked(app, ui, outcome);
}

void derivation_section(App& app, Ui& ui) {
  const study::Study& study = app.study();
  if (study.derivation.empty() || !ui.sections.head(app, ui, "why", ui.say("Why"))) return;
  gap(ui, 2);
  std::string_view rest = study.derivation;
  const std::string said = ui.say(rest);
  rest = said;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    paragraph(ui, ui.faces.words, ui.tokens.secondary, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!rest.empty()) gap(ui, 3);
  }
}

void tries_section(App& app, Ui& ui) {
  if (app.study().tries.empty()) return;
  if (!ui.sections.head(app, ui, "try", ui.say("Try"), std::to_string(app.study().tries.size()))) return;
  gap(ui, 2);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  int number = 0;
  for (const study::Try& suggestion : app.study().tries) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room(ui), indent = ui.px(18);
    // Its height is only known once it is set: measured first, drawn over the ground that answers to the
    // mouse.
    const std::string text = ui.say(suggestion.text);
    const float line = rich_height(ui, 0, ui.faces.words, text);
    const float height = rich_height(ui, width - indent, ui.faces.words, text);
    const Press p = press(ui, "try:" + std::to_string(number), {width, height + ui.px(6)});
    if (p.hovered)
      draw.AddRectFilled({p.low.x - ui.px(6), p.low.y}, {p.high.x + ui.px(6), p.high.y},
                         color(ui.tokens.control), ui.px(4));
    put(draw, ui.faces.numbers, at.x, baseline_in(ui.faces.numbers, at.y + ui.px(3), line),
        color(ui.tokens.accent), std::to_string(number + 1));
    rich_text(ui, draw, {at.x + indent, at.y + ui.px(3)}, width - indent, ui.faces.words,
              p.hovered ? ui.tokens.text : ui.tokens.secondary, text);
    if (p.hovered || p.focused) help(ui, p, try_help(app, ui, suggestion));
    if (p.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (p.clicked) app.try_out(suggestion);
    if (const App::Tried* tried = app.just_tried(); tried && tried->suggestion == &suggestion)
      just_tried(app, ui, *tried, indent);
    ++number;
  }
}

void checks_section(App& app, Ui& ui) {
  const recipe::Outcome* outcome = app.result();
  if (!outcome || outcome->result.checks.empty()) return;
  const std::vector<study::Check>& checks = outcome->result.checks;
  const auto held =
      std::count_if(checks.begin(), checks.end(), [](const study::Check& c) { return c.holds(); });
  const auto all = static_cast<std::ptrdiff_t>(checks.size());
  const bool of_before = !app.error().empty();
  const std::string note = of_before    ? ui.say("of the settings before")
                           : held < all ? ui.say("{} of {} hold", held, all)
                           : all == 1   ? ui.say("{} holds", 1)
                                        : ui.say("{} hold", all);
  if (!ui.sections.head(app, ui, "checks", ui.say("Checks"), note, held < all)) return;
  gap(ui, 2);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  // What says something of these settings comes first.
  std::vector<const study::Check*> ordered;
  for (const bool known : {false, true})
    for (const study::Check& check : checks)
      if (check.known == known) ordered.push_back(&check);
  bool known_before = false;
  for (const study::Check* each : ordered) {
    const study::Check& check = *each;
    if (check.known && !known_before) {
      known_before = true;
      gap(ui, 4);
      const ImVec2 head = ImGui::GetCursorScreenPos();
      const TextBlock words = rich_text(ui, draw, head, room(ui), ui.faces.words, ui.tokens.faint,
                                        ui.say("Known answers, the same at every setting"));
      ImGui::Dummy({room(ui), words.height + ui.px(2)});
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room(ui), indent = ui.px(18), line = ui.px(20);
    const bool holds = check.holds();
    const ImVec2 mark(at.x + ui.px(5), at.y + line / 2);
    if (holds)
      tick_mark(draw, mark, ui.px(10), color(ui.tokens.holds), ui.raster);
    else
      cross_mark(draw, mark, ui.px(10), color(ui.tokens.fails), ui.raster);

    const std::string slack =
        number_text(check.value, 2) + (holds ? " \u2264 " : " > ") + number_text(check.bound, 2);
    const Face& numbers = ui.faces.small_numbers;
    const float slack_width = numbers.width(slack);
    // The slack ends the statement's last line where there is room, else it has the line below.
    const TextBlock words = rich_text(ui, draw, {at.x + indent, at.y}, width - indent, ui.faces.words,
                                      of_before ? ui.tokens.faint : ui.tokens.text, ui.say(check.statement));
    const float step = ui.px(19);
    const bool beside = indent + words.last_line + ui.px(10) + slack_width <= width;
    const float last = at.y + words.height - (beside ? step : ui.px(2));
    put(draw, numbers, at.x + width, baseline_in(numbers, last, step),
        color(holds ? ui.tokens.faint : ui.tokens.fails), slack, Align::right);
    ImGui::Dummy({width, last + step + ui.px(2) - at.y});
  }
}

}  // namespace orrery::gui
