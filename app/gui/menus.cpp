#include "app/gui/menus.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float around_a_word = 18, padding = 6;

std::vector<Group> groups_there() {
  std::vector<Group> there;
  for (const Group group : groups)
    if (std::ranges::any_of(actions(), [&](const Action& a) { return a.group == group; }))
      there.push_back(group);
  return there;
}

/// As wide as its widest row.
float menu_width(const Ui& ui, const KeyMap& keys, Group group, const Reach& reach) {
  float words = 0, chords = 0;
  for (const Action& action : actions()) {
    if (action.group != group) continue;
    words = std::max(words, ui.faces.words.width(action_words(ui, action, reach)));
    chords = std::max(chords, ui.faces.small_numbers.width(keys.text(action)));
  }
  return std::ceil(words + chords) + ui.px(26 + 28 + 10);
}

/// A word of the bar whose menu hangs below it; true while the menu is open. Only then its rows are measured: `inner`.
bool menu(Ui& ui, const KeyMap& keys, const Reach& reach, Group group, float& x, float top, float height,
          float& inner) {
  const std::string id(group_name(group)), text = ui.say(id);
  const float width = ui.faces.words.width(text) + ui.px(around_a_word);
  ImGui::SetCursorScreenPos({x, top + ui.px(7)});
  const Press p = press(ui, "menu-" + id, {width, height - ui.px(14)});
  const bool lit = p.hovered || p.focused || ImGui::IsPopupOpen(id.c_str());
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (lit) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  put(draw, ui.faces.words, x + width / 2, baseline_in(ui.faces.words, top, height),
      color(lit ? ui.tokens.text : ui.tokens.secondary), text, Align::center);
  x += width;
  if (p.clicked || (p.focused && ui.take(Key::down))) ImGui::OpenPopup(id.c_str());
  if (!ImGui::IsPopupOpen(id.c_str())) return false;
  inner = menu_width(ui, keys, group, reach);
  // Within the window, and with a bar to scroll where it is too low.
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float margin = ui.px(8), below = top + height - ui.px(4);
  ImGui::SetNextWindowPos(
      {std::max(0.0f, std::min(p.low.x, screen.x - inner - ui.px(2 * padding) - margin)), below});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, screen.y - below - margin});
  return begin_popup(ui, id.c_str());
}

}  // namespace

std::string action_words(const Ui& ui, const Action& action, const Reach& reach) {
  std::string text = ui.say(action.label);
  if (action.object)
    if (const std::string object = action.object(reach); !object.empty()) text += " " + ui.say(object);
  return text;
}

float menus_width(const Ui& ui) {
  float width = 0;
  for (const Group group : groups_there())
    width += ui.faces.words.width(ui.say(group_name(group))) + ui.px(around_a_word);
  return width;
}

float menus(Ui& ui, const KeyMap& keys, Reach& reach, float x) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(padding), ui.px(padding)});
  const std::vector<Group> there = groups_there();
  const auto count = static_cast<int>(there.size());
  int turn_to = -1;
  for (int i = 0; i < count; ++i) {
    const Group group = there[static_cast<std::size_t>(i)];
    float width = 0;
    if (!menu(ui, keys, reach, group, x, at.y, size.y, width)) continue;
    for (const Action& action : actions()) {
      if (action.group != group) continue;
      if (action.apart) gap(ui, 8);
      if (!menu_row(ui, "menu:" + std::string(action.id), action_words(ui, action, reach), keys.text(action),
                    width, action.is_checked(reach), ui.say(action.why_not(reach))))
        continue;
      action.run(reach);
      ImGui::CloseCurrentPopup();
    }
    if (const Turn turn = take_turn(ui, Arrows::sideways); turn.steps != 0)
      turn_to = (i + turn.steps + count) % count;
    end_popup(ui);
  }
  if (turn_to >= 0)
    ImGui::OpenPopup(std::string(group_name(there[static_cast<std::size_t>(turn_to)])).c_str());
  ImGui::PopStyleVar();
  return x;
}

}  // namespace orrery::gui
