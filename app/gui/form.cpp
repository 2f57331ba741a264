#include "app/gui/form.h"

#include <algorithm>
#include <vector>

#include "app/gui/widgets.h"
#include "app/language/error.h"

namespace orrery::gui {
namespace {

constexpr float label_column = 92;

}  // namespace

float labelled(Ui& ui, std::string_view text, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float whole = room(ui);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, ui.px(height)),
      color(ui.tokens.secondary), text);
  ImGui::SetCursorScreenPos({at.x + ui.px(label_column), at.y});
  return whole - ui.px(label_column);
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

bool switched(Ui& ui, std::string_view label, std::string_view id, bool on) {
  constexpr float height = 20;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  labelled(ui, label, height);
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, at.y + ui.px(2)});
  const bool turned = toggle_switch(ui, id, on);
  next_row(ui, at, height);
  return turned ? !on : on;
}

void typed_row(Ui& ui, std::string_view label, std::string_view id, std::string& text,
               std::string_view hint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text_field(ui, id, text, hint, labelled(ui, label));
  next_row(ui, at);
}

void small_print(Ui& ui, const Face& face, figure::Color ink, std::string_view text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), height = ui.px(20);
  put(*ImGui::GetWindowDrawList(), face, at.x, baseline_in(face, at.y, height), color(ink),
      fitted(face, text, width));
  ImGui::Dummy({width, height});
  help(ui, ImGui::IsItemHovered() && face.width(text) > width, text);
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
  const bool typing = ImGui::GetIO().WantTextInput;
  decision.go = button(ui, std::string(id) + "-go", go, {each, height}, true, can) ||
                (can && !typing && ui.pressed(Key::enter));
  return decision;
}

void target_note(Ui& ui, std::string_view error, std::size_t replaced) {
  if (!error.empty())
    small_print(ui, ui.faces.words, ui.tokens.fails, language::say_error(ui.language, error));
  else if (replaced > 0)
    small_print(ui, ui.faces.words, ui.tokens.accent,
                replaced == 1 ? ui.say("There is such a file. Replace it?")
                              : ui.say("There are {} such files. Replace them?", replaced));
  else
    small_print(ui, ui.faces.words, ui.tokens.secondary, "");
}

}  // namespace orrery::gui
