#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/panels.h"
#include "app/gui/stroke.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

/// The mark of the house: a ring, what circles on it, and what it circles.
void orrery_mark(ImDrawList& draw, ImVec2 m, float radius, const Tokens& t, float scale) {
  draw.AddCircle(m, radius, color(t.accent), 0, 1.5f * scale);
  draw.AddCircleFilled(m, radius * 0.32f, color(t.accent));
  const ImVec2 planet(m.x + radius * std::cos(0.6f), m.y + radius * std::sin(0.6f));
  draw.AddCircleFilled(planet, radius * 0.42f, color(t.pane));
  draw.AddCircleFilled(planet, radius * 0.27f, color(t.accent));
}

/// A disc half filled: the other theme.
bool theme_button(Ui& ui) {
  const float side = ui.px(26);
  const Press p = press(ui, "theme", {side, side});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (p.hovered) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  const ImVec2 m((p.low.x + p.high.x) / 2, (p.low.y + p.high.y) / 2);
  const ImU32 ink = color(p.hovered ? ui.tokens.text : ui.tokens.secondary);
  const float r = ui.px(6);
  draw.AddCircle(m, r, ink, 0, 1.5f * ui.scale);
  draw.PathArcTo(m, r, -1.5708f, 1.5708f);
  draw.PathFillConvex(ink);
  help(ui, p.hovered, "Dark or light");
  return p.clicked;
}

std::string gpu_help(const GpuState& gpu) {
  if (!gpu.asked) return "Looking for a graphics processor";
  if (!gpu.available) return "No graphics processor to compute on: " + gpu.text;
  return gpu.text + (gpu.software ? ". A software driver: cpu is the faster choice here" : "");
}

void device_choice(App& app, Ui& ui, float right, float middle) {
  constexpr std::array<std::string_view, 3> names{"cpu", "gpu", "ref"};
  constexpr std::array<std::string_view, 3> words{"The fast twin on the processor, with all its threads", "",
                                                  "The reference: double precision, plain loops"};
  constexpr std::array<study::DeviceChoice, 3> devices{study::DeviceChoice::cpu, study::DeviceChoice::gpu,
                                                       study::DeviceChoice::ref};
  const std::array<bool, 3> disabled{false, !app.gpu.available, false};
  const float width = ui.px(132);
  ImGui::SetCursorScreenPos({right - width, middle - ui.px(12)});
  const auto chosen = std::find(devices.begin(), devices.end(), app.device()) - devices.begin();
  const int clicked =
      segmented(ui, "device", names, static_cast<int>(chosen), width, ui.faces.small_numbers, disabled);
  if (clicked >= 0) app.set_device(devices[static_cast<std::size_t>(clicked)]);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto box = ui.items.find("device=" + std::string(names[i]));
    const bool over =
        mouse.x >= box->low.x && mouse.x < box->high.x && mouse.y >= box->low.y && mouse.y < box->high.y;
    if (over) help(ui, true, i == 1 ? gpu_help(app.gpu) : std::string(words[i]));
  }
}

std::string words_of(const Action& action, const Reach& reach) {
  std::string text(action.label);
  if (action.object)
    if (const std::string object = action.object(reach); !object.empty()) text += " " + object;
  return text;
}

/// As wide as its widest row.
float menu_width(const Ui& ui, const KeyMap& keys, Group group, const Reach& reach) {
  float words = 0, chords = 0;
  for (const Action& action : actions()) {
    if (action.group != group) continue;
    words = std::max(words, ui.faces.words.width(words_of(action, reach)));
    chords = std::max(chords, ui.faces.small_numbers.width(keys.text(action)));
  }
  return std::ceil(words + chords) + ui.px(26 + 24 + 10);
}

/// A word of the bar whose menu hangs below it; returns true while the menu is open.
bool menu(Ui& ui, const char* text, float& x, float top, float height) {
  const float width = ui.faces.words.width(text) + ui.px(18);
  ImGui::SetCursorScreenPos({x, top});
  const Press p = press(ui, std::string("menu-") + text, {width, height});
  const bool open = ImGui::IsPopupOpen(text);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (p.hovered || open)
    draw.AddRectFilled({p.low.x, p.low.y + ui.px(7)}, {p.high.x, p.high.y - ui.px(7)},
                       color(ui.tokens.control), ui.px(4));
  put(draw, ui.faces.words, x + width / 2, baseline_in(ui.faces.words, top, height),
      color(p.hovered || open ? ui.tokens.text : ui.tokens.secondary), text, Align::center);
  x += width;
  if (p.clicked) ImGui::OpenPopup(text);
  ImGui::SetNextWindowPos({p.low.x, top + height - ui.px(4)});
  return begin_popup(ui, text);
}

/// One menu for each group of actions, from the registry. The arrows go from one to the next.
void menus(Ui& ui, const KeyMap& keys, Reach& reach) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  float x = at.x + ui.px(92);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(6), ui.px(6)});
  std::vector<Group> there;
  for (const Group group : groups)
    if (std::any_of(actions().begin(), actions().end(), [&](const Action& a) { return a.group == group; }))
      there.push_back(group);
  int turn_to = -1;
  for (std::size_t i = 0; i < there.size(); ++i) {
    const Group group = there[i];
    if (!menu(ui, std::string(group_name(group)).c_str(), x, at.y, size.y)) continue;
    const float width = menu_width(ui, keys, group, reach);
    for (const Action& action : actions()) {
      if (action.group != group) continue;
      if (action.apart) gap(ui, 8);
      if (!menu_row(ui, "menu:" + std::string(action.id), words_of(action, reach), keys.text(action), width,
                    action.is_checked(reach), action.why_not(reach)))
        continue;
      action.run(reach);
      ImGui::CloseCurrentPopup();
    }
    const Turn turn = take_turn(ui, Arrows::sideways);
    const auto count = static_cast<int>(there.size());
    if (turn.steps != 0) turn_to = (static_cast<int>(i) + turn.steps + count) % count;
    end_popup(ui);
  }
  if (turn_to >= 0)
    ImGui::OpenPopup(std::string(group_name(there[static_cast<std::size_t>(turn_to)])).c_str());
  ImGui::PopStyleVar();
}

}  // namespace

void top_bar(App& app, Ui& ui, const KeyMap& keys, WindowWishes& wishes) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float middle = std::floor(at.y + size.y / 2);
  orrery_mark(draw, {at.x + ui.px(22), middle}, ui.px(8), ui.tokens, ui.scale);
  put(draw, ui.faces.wordmark, at.x + ui.px(40), baseline_in(ui.faces.wordmark, at.y, size.y),
      color(ui.tokens.text), "Orrery");
  Reach reach{app, wishes};
  menus(ui, keys, reach);

  float right = at.x + size.x - ui.px(20);
  ImGui::SetCursorScreenPos({right - ui.px(90), middle - ui.px(12)});
  if (button(ui, "export", "Export", {ui.px(90), ui.px(24)}, true, app.result() != nullptr))
    wishes.popup = "export";
  right -= ui.px(90 + 12 + 26);
  ImGui::SetCursorScreenPos({right, middle - ui.px(13)});
  if (theme_button(ui)) app.preferences.theme = app.preferences.theme == "light" ? "dark" : "light";
  device_choice(app, ui, right - ui.px(12), middle);
}

}  // namespace orrery::gui
