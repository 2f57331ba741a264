#include "app/gui/compare_strip.h"

#include <algorithm>
#include <array>
#include <vector>

#include "app/gui/pinned.h"
#include "app/gui/rich_text.h"
#include "app/gui/value_words.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "app/study/device_names.h"

namespace orrery::gui {
namespace {

constexpr float strip_height = 26, chip_gap = 8;

/// What is A's own, in few words.
std::string words_of(const App& app, const Ui& ui) {
  const Side &a = *app.document().pinned, &b = app.document().live;
  if (a.study != b.study) return ui.say(a.study->title);
  std::string text;
  const auto say = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  for (const parameter::Parameter* p : recipe::differing(a.settings, b.settings))
    say(ui.say(p->label) + " = " + value_words(ui, *a.study, *p, recipe::value_text(*p, a.settings)));
  if (a.device != b.device) say(std::string(study::device_names[static_cast<std::size_t>(a.device)]));
  return text.empty() ? ui.say("the same settings") : text;
}

/// A letter in the ink of its side, as legends have it: A pale, B full.
void letter(Ui& ui, ImVec2 at, float height, const char* text, bool full) {
  put(*ImGui::GetWindowDrawList(), ui.faces.words_bold, at.x, baseline_in(ui.faces.words_bold, at.y, height),
      color(full ? ui.tokens.text : ui.tokens.secondary), text);
}

/// Two arrows past each other.
void swap_mark(ImDrawList& draw, ImVec2 middle, float size, ImU32 ink, float line) {
  const float half = size / 2, head = size / 4;
  for (const float side : {-1.0f, 1.0f}) {
    const float y = middle.y + side * size / 5, tip = middle.x - side * half;
    draw.AddLine({middle.x - half, y}, {middle.x + half, y}, ink, line);
    draw.AddLine({tip, y}, {tip + side * head, y - head}, ink, line);
    draw.AddLine({tip, y}, {tip + side * head, y + head}, ink, line);
  }
}

bool icon_button(Ui& ui, std::string_view name, ImVec2 at, float side, std::string_view tip, bool cross) {
  ImGui::SetCursorScreenPos(at);
  const Press p = press(ui, name, {side, side});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (p.hovered || p.focused) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  const ImU32 ink = color(p.hovered ? ui.tokens.text : ui.tokens.secondary);
  const ImVec2 middle((p.low.x + p.high.x) / 2, (p.low.y + p.high.y) / 2);
  if (cross)
    cross_mark(draw, middle, ui.px(9), ink, ui.raster);
  else
    swap_mark(draw, middle, ui.px(13), ink, std::max(1.0f, 1.4f * ui.scale));
  help(ui, p, tip);
  return p.clicked;
}

/// A with what is its own; a click goes back to its settings, the cross unpins.
void chip(App& app, Ui& ui, ImVec2 at, float width, float height) {
  const Tokens& t = ui.tokens;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float cross = height - ui.px(4), inset = ui.px(8);
  ImGui::SetCursorScreenPos(at);
  const Press p = press(ui, "pinned", {width - cross - ui.px(4), height});
  draw.AddRectFilled(at, {at.x + width, at.y + height}, color(p.hovered ? t.control : t.pane), ui.px(5));
  if (p.focused) draw.AddRect(at, {at.x + width, at.y + height}, color(t.accent), ui.px(5), 0, ui.scale);
  letter(ui, {at.x + inset, at.y}, height, "A", false);
  const float from = at.x + inset + ui.faces.words_bold.width("A") + ui.px(8);
  const std::string all = words_of(app, ui), shown = fitted(ui.faces.words, all, p.high.x - from);
  put(draw, ui.faces.words, from, baseline_in(ui.faces.words, at.y, height), color(t.secondary), shown);
  help(ui, p, (shown == all ? "" : all + ". ") + ui.say("Click: back to the settings of A"));
  if (p.clicked) return_to_pinned(app);
  if (icon_button(ui, "unpin", {at.x + width - cross - ui.px(2), at.y + ui.px(2)}, cross, ui.say("Unpin"),
                  true))
    unpin(app);
}

float remarks(App& app, Ui& ui, ImVec2 at, float width) {
  const recipe::Outcome* shown = app.result();
  std::string text =
      app.pinned_error().empty() ? "" : "A: " + language::say_error(ui.language, app.pinned_error());
  const bool wrong = !text.empty();
  if (!wrong && shown)
    for (const std::string& remark : shown->remarks) text += (text.empty() ? "" : " · ") + ui.say(remark);
  if (!wrong && text.empty() && app.pinning()) text = ui.say("computing A\u2026");
  if (text.empty()) return 0;
  const float height = rich_text(ui, *ImGui::GetWindowDrawList(), at, width, ui.faces.words,
                                 wrong ? ui.tokens.fails : ui.tokens.secondary, text)
                           .height;
  ui.items.mark("compare-remark", at, {at.x + width, at.y + height});
  return height + ui.px(4);
}

}  // namespace

float compare_strip(App& app, Ui& ui, float width) {
  if (!app.document().pinned) return 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(strip_height), space = ui.px(chip_gap);
  const std::vector<std::string> names{ui.say("Side by side"), ui.say("Overlay"), ui.say("Difference")};
  const std::array<std::string_view, 3> modes{names[0], names[1], names[2]};
  const float segments = segments_width(ui, modes, ui.faces.words), swap = height + 2 * space;
  // On a narrow page the choice stands below the chip.
  const bool one_row = width - segments - swap - space >= ui.px(160);
  const float chip_width = std::min(
      one_row ? width - segments - swap - space : width - swap,
      ui.px(8 + 8 + 8) + ui.faces.words_bold.width("A") + ui.faces.words.width(words_of(app, ui)) + height);
  chip(app, ui, at, chip_width, height);
  if (app.document().pinned &&
      icon_button(ui, "swap-sides", {at.x + chip_width + space, at.y}, height, ui.say("Swap A and B"), false))
    swap_sides(app);
  const float below = one_row ? 0 : height + ui.px(6), choice = std::min(segments, width);
  ImGui::SetCursorScreenPos({at.x + width - choice, at.y + below});
  // Figures of different studies have nothing to lay over each other.
  const bool other = !app.document().pinned || app.document().pinned->study != &app.study();
  const std::array<bool, 3> disabled{false, other, other};
  const int chosen =
      segmented(ui, "together", modes, names, other ? 0 : static_cast<int>(app.document().together), choice,
                ui.faces.words, disabled);
  if (chosen >= 0) show_together(app, static_cast<figure::CompareMode>(chosen));
  const float rows = below + height + ui.px(6);
  return rows + remarks(app, ui, {at.x, at.y + rows}, width) + ui.px(4);
}

}  // namespace orrery::gui
