#include "app/gui/form.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/gui/marks.h"
#include "app/gui/rich_text.h"
#include "app/language/error.h"

namespace orrery::gui {
namespace {

constexpr float least_column = 92, behind_label = 12;

}  // namespace

void make_room_for(Ui& ui, std::span<const std::string> labels) {
  for (const std::string& label : labels)
    ui.label_column = std::max(ui.label_column, std::ceil(ui.faces.words.width(label)) + ui.px(behind_label));
}

float labelled(Ui& ui, std::string_view text, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Face& words = ui.faces.words;
  const float whole = room(ui), tall = ui.px(height);
  // The control keeps half of the row at least.
  const float column = std::min(std::max(ui.px(least_column), ui.label_column), std::floor(whole / 2));
  const std::string shown = fitted(words, text, column - ui.px(behind_label));
  put(*ImGui::GetWindowDrawList(), words, at.x, baseline_in(words, at.y, tall), color(ui.tokens.secondary),
      shown);
  const bool over =
      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + words.width(shown), at.y + tall});
  help(ui, over && shown != text, text);
  ImGui::SetCursorScreenPos({at.x + column, at.y});
  return whole - column;
}

void next_row(const Ui& ui, ImVec2 start, float height) {
  ImGui::SetCursorScreenPos({start.x, start.y + ui.px(height + 10)});
}

bool choose(Ui& ui, std::string_view label, std::string_view id, std::span<const std::string_view> names,
            std::string& now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, label);
  const auto place = std::find(names.begin(), names.end(), now) - names.begin();
  const int clicked = segmented(ui, id, names, static_cast<int>(place), width, ui.faces.words);
  next_row(ui, at);
  if (clicked < 0) return false;
  now = names[static_cast<std::size_t>(clicked)];
  return true;
}

bool switched(Ui& ui, std::string_view words, std::string_view id, bool on) {
  constexpr float height = 20;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  labelled(ui, "", height);
  const float left = ImGui::GetCursorScreenPos().x;
  ImGui::SetCursorScreenPos({left, at.y + ui.px(2)});
  const bool turned = toggle_switch(ui, id, on);
  const float behind = left + ui.px(40);
  ImGui::SetCursorScreenPos({behind, at.y});
  const Press p =
      press(ui, std::string(id) + ":words", {ui.faces.words.width(words), ui.px(height)}, Tab::passes);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, behind, baseline_in(ui.faces.words, at.y, ui.px(height)),
      color(p.hovered ? ui.tokens.text : ui.tokens.secondary), words);
  next_row(ui, at, height);
  return turned || p.clicked ? !on : on;
}

Field typed_row(Ui& ui, std::string_view label, std::string_view id, std::string& text,
                std::string_view hint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Field field = text_field(ui, id, text, hint, labelled(ui, label));
  next_row(ui, at);
  return field;
}

bool path_row(Ui& ui, std::string_view label, std::string_view id, std::string& text, std::string_view hint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, label), side = ui.px(28), height = ui.px(24);
  const ImVec2 corner(ImGui::GetCursorScreenPos().x + width - side, at.y);
  text_field(ui, id, text, hint, width - side - ui.px(4));
  ImGui::SetCursorScreenPos(corner);
  const bool asked = button(ui, "browse:" + std::string(id), "", {side, height});
  folder_mark(*ImGui::GetWindowDrawList(), {corner.x + side / 2, corner.y + height / 2}, ui.px(13),
              color(ui.tokens.secondary));
  next_row(ui, at);
  return asked;
}

void small_print(Ui& ui, const Face& face, figure::Color ink, std::string_view text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), height = ui.px(20);
  put(*ImGui::GetWindowDrawList(), face, at.x, baseline_in(face, at.y, height), color(ink),
      fitted(face, text, width));
  ImGui::Dummy({width, height});
  help(ui, ImGui::IsItemHovered() && face.width(text) > width, text);
}

void wrapped_print(Ui& ui, const Face& face, figure::Color ink, std::string_view text) {
  const float width = room(ui);
  const float height =
      rich_text(ui, *ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width, face, ink, text).height;
  ImGui::Dummy({width, height});
}

float decision_height(const Ui& ui) {
  return ui.px(10) + ui.px(28);
}

Decision decide(Ui& ui, std::string_view id, std::string_view go, bool can) {
  gap(ui, 10);
  const std::string cancel = ui.say("Cancel");
  const float each = std::max(
      {ui.px(100), ui.faces.words_bold.width(go) + ui.px(28), ui.faces.words.width(cancel) + ui.px(28)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + room(ui), height = ui.px(28);
  Decision decision;
  ImGui::SetCursorScreenPos({right - 2 * each - ui.px(8), at.y});
  decision.cancel = button(ui, std::string(id) + "-cancel", cancel, {each, height});
  ImGui::SetCursorScreenPos({right - each, at.y});
  const std::string name = std::string(id) + "-go";
  // The Enter that opened the dialog may still be held: nobody has agreed to anything yet.
  const bool entered = button(ui, name, go, {each, height}, true, can) || ui.take_press({Key::enter}) ||
                       ui.take_press({.key = Key::enter, .ctrl = true});
  decision.go = can && entered;
  // What is asked then is answered by Enter again, not by going on in a field.
  if (decision.go) ui.focus.set(name);
  return decision;
}

float target_note_height(Ui& ui, float width, const Complaint& error) {
  const float line = ui.px(20);
  if (error.empty()) return line;
  return std::max(line, rich_height(ui, width, ui.faces.words, language::say_error(ui.language, error)));
}

void target_note(Ui& ui, const Complaint& error, std::size_t replaced) {
  const float below = ImGui::GetCursorPosY() + target_note_height(ui, room(ui), error);
  if (!error.empty())
    wrapped_print(ui, ui.faces.words, ui.tokens.fails, language::say_error(ui.language, error));
  else if (replaced > 0)
    small_print(ui, ui.faces.words, ui.tokens.accent,
                replaced == 1 ? ui.say("There is such a file. Replace it?")
                              : ui.say("There are {} such files. Replace them?", replaced));
  ImGui::SetCursorPosY(below);
}

}  // namespace orrery::gui
