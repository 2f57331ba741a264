#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/gui/menus.h"
#include "app/gui/pane_layout.h"
#include "app/gui/panels.h"
#include "app/gui/speech.h"
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
  help(ui, p, ui.say("Dark or light"));
  return p.clicked;
}

std::string gpu_help(const Ui& ui, const GpuState& gpu) {
  if (!gpu.asked) return ui.say("Looking for a graphics processor");
  if (!gpu.available) return ui.say("No graphics processor to compute on: {}", gpu.text);
  return gpu.text + (gpu.software ? ". " + ui.say("A software driver: cpu is the faster choice here") : "");
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
    // The keyboard comes to what is chosen, and passes what cannot be: why not is said beside it.
    const bool focused = ui.focus.on("device") && static_cast<std::ptrdiff_t>(i) == chosen;
    if (!over && !focused) continue;
    std::string text = i == 1 ? gpu_help(ui, app.gpu) : ui.say(words[i]);
    if (focused && ui.by_keys() && disabled[1]) text += ". " + gpu_help(ui, app.gpu);
    help(ui, Press{.hovered = over, .focused = focused, .low = box->low, .high = box->high}, text);
  }
}

/// Where everything is found by a few letters.
void find_anything(Ui& ui, const KeyMap& keys, WindowWishes& wishes, float left, float right, float middle) {
  const float width = std::min(ui.px(420), right - left), height = ui.px(24), inset = ui.px(12);
  ImGui::SetCursorScreenPos({std::floor((left + right - width) / 2), std::floor(middle - height / 2)});
  const Press p = press(ui, "find", {width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(p.low, p.high, color(p.hovered ? ui.tokens.raised : ui.tokens.control), ui.px(4));
  const std::string chord = keys.text(*find_action("palette"));
  const Face &words = ui.faces.words, &small = ui.faces.small_numbers;
  const float room = width - 3 * inset - small.width(chord);
  put(draw, words, p.low.x + inset, baseline_in(words, p.low.y, height), color(ui.tokens.faint),
      fitted(words, ui.say("Search studies, actions, parameters"), room));
  put(draw, small, p.high.x - inset, baseline_in(small, p.low.y, height), color(ui.tokens.faint), chord,
      Align::right);
  if (p.clicked) wishes.popup = Popup::palette;
}

/// The language by its short name; the next one at a press.
void language_button(App& app, Ui& ui, ImVec2 at) {
  const auto all = language::languages();
  const auto now = std::ranges::find(all, ui.language, &language::Named::language);
  const auto next = now + 1 == all.end() ? all.begin() : now + 1;
  ImGui::SetCursorScreenPos(at);
  const std::string shown =
      now->language == language::Language::en ? "EN" : std::string(now->own_name).substr(0, 3);
  const std::string_view why = why_not_shown(next->language);
  if (button(ui, "language", shown, {ui.px(34), ui.px(24)}, false, why.empty()))
    app.preferences.language = next->code;
  help(ui, last_item(ui, "language"), why.empty() ? std::string(next->own_name) : ui.say(why));
}

}  // namespace

void top_bar(App& app, Ui& ui, const KeyMap& keys, WindowWishes& wishes) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float middle = std::floor(at.y + size.y / 2), half = ui.px(12), space = ui.px(10), margin = ui.px(16);
  const float device = ui.px(132),
              button_width = std::max(ui.px(78), ui.faces.words_bold.width(ui.say("Export")) + ui.px(24));
  // In a narrow window the name goes first, then the theme and the language, then the device: menus have them all.
  const float word = ui.faces.wordmark.width("Orrery") + space, mark = ui.px(38);
  const float small_ones = ui.px(26) + ui.px(34) + 2 * space;
  float needed = mark + word + menus_width(ui) + small_ones + device + space + button_width + margin;
  const auto room_without = [&](float part) {
    const bool fits = needed <= size.x;
    if (!fits) needed -= part;
    return fits;
  };
  const bool name = room_without(word), small = room_without(small_ones),
             devices = room_without(device + space);

  orrery_mark(draw, {at.x + ui.px(20), middle}, ui.px(8), ui.tokens, ui.scale);
  if (name)
    put(draw, ui.faces.wordmark, at.x + mark, baseline_in(ui.faces.wordmark, at.y, size.y),
        color(ui.tokens.text), "Orrery");
  Reach reach{app, wishes, list_fits(app.document().panes, size.x / ui.scale)};
  const float left = menus(ui, keys, reach, at.x + mark + (name ? word : 0));

  float right = at.x + size.x - margin - button_width;
  const float export_at = right;
  right -= small ? small_ones : 0;
  const float small_at = right;
  right -= devices ? device + space : 0;
  if (const float least = ui.px(190); right - left - 2 * ui.px(20) >= least)
    find_anything(ui, keys, wishes, left + ui.px(20), right - ui.px(20), middle);
  if (devices) device_choice(app, ui, right + device, middle);
  if (small) {
    language_button(app, ui, {small_at, middle - half});
    ImGui::SetCursorScreenPos({small_at + ui.px(34) + space / 2, middle - ui.px(13)});
    if (theme_button(ui)) app.preferences.theme = app.preferences.theme == "light" ? "dark" : "light";
  }
  ImGui::SetCursorScreenPos({export_at, middle - half});
  const bool pressed =
      button(ui, "export", ui.say("Export"), {button_width, 2 * half}, true, app.result() != nullptr);
  const Action& again = *find_action("export-again");
  if (app.aims_at_its_file())
    help(ui, last_item(ui, "export"),
         ui.say("With Shift: again, to {}", export_target(app.page, app.study()).filename().string()));
  if (!pressed) return;
  if (ImGui::GetIO().KeyShift && again.enabled(reach))
    perform(again, reach);
  else
    wishes.popup = Popup::choose_export;
}

}  // namespace orrery::gui
