#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/export_page.h"
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

bool entry(Ui& ui, const char* text, const char* keys = nullptr, bool checked = false, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(text, keys, checked, enabled);
  ui.items.mark_last(std::string("menu:") + text);
  return chosen;
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
  return ImGui::BeginPopup(text);
}

void copy_picture(App& app) {
  try {
    const std::string source = picture_as_pgf(app.page, *app.result(), app.view());
    ImGui::SetClipboardText(source.c_str());
    app.notice = {Notice::Kind::done, "copied: " + app.page.size + ", for \\usepackage{pgfplots}"};
  } catch (const std::exception& error) {
    app.notice = {Notice::Kind::error, error.what()};
  }
}

}  // namespace

void TopBar::menus(App& app, Ui& ui, ExportPopup& exporting, WindowWishes& wishes) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  float x = at.x + ui.px(92);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(14), ui.px(10)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(16), ui.px(9)});
  if (menu(ui, "File", x, at.y, size.y)) {
    if (entry(ui, "Open\u2026")) opening_ = true;
    if (entry(ui, "Export\u2026", "Ctrl+S", false, app.result() != nullptr)) exporting.open();
    if (entry(ui, "Copy the picture as PGFPlots", nullptr, false, app.result() != nullptr)) copy_picture(app);
    const bool numbers = app.result() && !app.result()->result.tables.empty();
    if (entry(ui, "Copy the numbers", nullptr, false, numbers)) wishes.copy_numbers = true;
    if (entry(ui, "Quit", "Ctrl+Q")) wishes.close = true;
    ImGui::EndPopup();
  }
  if (menu(ui, "Edit", x, at.y, size.y)) {
    if (entry(ui, "Undo", "Ctrl+Z", false, app.history().can_undo())) app.undo();
    if (entry(ui, "Redo", "Ctrl+Shift+Z", false, app.history().can_redo())) app.redo();
    if (entry(ui, "All parameters to their defaults"))
      for (const parameter::Parameter& p : app.study().parameters)
        app.change(p.name, parameter::parse(p, p.fallback), "defaults");
    ImGui::EndPopup();
  }
  if (menu(ui, "View", x, at.y, size.y)) {
    if (entry(ui, "Fit the figure", "Home")) app.show({});
    if (entry(ui, app.playing() ? "Stop" : "Play", "Space")) app.toggle_play();
    if (entry(ui, "Dark", nullptr, app.preferences.theme != "light")) app.preferences.theme = "dark";
    if (entry(ui, "Light", nullptr, app.preferences.theme == "light")) app.preferences.theme = "light";
    if (entry(ui, "Larger", "Ctrl++")) ++wishes.zoom_steps;
    if (entry(ui, "Smaller", "Ctrl+\u2212")) --wishes.zoom_steps;
    if (entry(ui, "As large as the display asks", "Ctrl+0")) wishes.zoom_reset = true;
    ImGui::EndPopup();
  }
  if (menu(ui, "Help", x, at.y, size.y)) {
    if (entry(ui, "Mouse and keys", "F1")) helping_ = true;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void TopBar::draw(App& app, Ui& ui, ExportPopup& exporting, WindowWishes& wishes) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float middle = std::floor(at.y + size.y / 2);
  orrery_mark(draw, {at.x + ui.px(22), middle}, ui.px(8), ui.tokens, ui.scale);
  put(draw, ui.faces.wordmark, at.x + ui.px(40), baseline_in(ui.faces.wordmark, at.y, size.y),
      color(ui.tokens.text), "Orrery");
  menus(app, ui, exporting, wishes);

  float right = at.x + size.x - ui.px(20);
  ImGui::SetCursorScreenPos({right - ui.px(90), middle - ui.px(12)});
  if (button(ui, "export", "Export", {ui.px(90), ui.px(24)}, true, app.result() != nullptr)) exporting.open();
  right -= ui.px(90 + 12 + 26);
  ImGui::SetCursorScreenPos({right, middle - ui.px(13)});
  if (theme_button(ui)) app.preferences.theme = app.preferences.theme == "light" ? "dark" : "light";
  device_choice(app, ui, right - ui.px(12), middle);
  open_popup(app, ui);
  help_popup(ui);
}

void TopBar::open_popup(App& app, Ui& ui) {
  if (opening_) ImGui::OpenPopup("open file");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(18)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::BeginPopupModal("open file", nullptr,
                             ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize)) {
    section_head(ui, "Open a recipe, or a figure made here");
    gap(ui, 6);
    ImGui::SetNextItemWidth(ui.px(460));
    if (opening_) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputTextWithHint(
        "##path", "path of a .toml, .pdf, .svg or .png; or drop the file on the window", &path_,
        ImGuiInputTextFlags_EnterReturnsTrue);
    opening_ = false;
    gap(ui, 12);
    const bool go = button(ui, "open-go", "Open", {ui.px(90), ui.px(26)}, true, !path_.empty()) || entered;
    ImGui::SameLine(0, ui.px(8));
    const bool cancel =
        button(ui, "open-cancel", "Cancel", {ui.px(90), ui.px(26)}) || ui.pressed(Key::escape);
    if (go && !path_.empty()) app.open_file(path_);
    if (go || cancel) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void TopBar::help_popup(Ui& ui) {
  constexpr std::array<std::array<std::string_view, 2>, 16> lines{
      {{"Drag in the figure", "pan"},
       {"Wheel", "zoom at the pointer; over an axis, that axis alone"},
       {"Right-drag", "zoom into the box"},
       {"Double click, Home", "the whole figure again"},
       {"Ring in the figure", "drag it to turn its parameter"},
       {"Click in the legend", "hide or show; with Ctrl alone or all"},
       {"Click on a value", "type it: 4096, 2^16, pi/4; Enter takes it, Esc leaves it"},
       {"Right-click on a parameter", "back to its default"},
       {"Space", "play or stop"},
       {"Up, Down", "the study before, the study after"},
       {"Ctrl+F", "search: a name, a word, a letter of a formula"},
       {"Ctrl+Z, Ctrl+Shift+Z", "undo, redo"},
       {"Ctrl+S", "export"},
       {"Ctrl++, Ctrl+\u2212, Ctrl+0", "size of the interface"},
       {"Drop a file", "opens a recipe, a figure made here, or the study's own file"},
       {"Ctrl+Q", "quit"}}};
  if (helping_) ImGui::OpenPopup("help");
  helping_ = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(24), ui.px(20)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::BeginPopup("help")) {
    section_head(ui, "Mouse and keys");
    gap(ui, 6);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (const auto& [keys, meaning] : lines) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float row = ui.px(22);
      put(draw, ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, row), color(ui.tokens.text), keys);
      put(draw, ui.faces.words, at.x + ui.px(190), baseline_in(ui.faces.words, at.y, row),
          color(ui.tokens.secondary), meaning);
      ImGui::Dummy({ui.px(520), row});
    }
    if (ui.pressed(Key::escape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void TopBar::keys(App& app, const Ui& ui, ExportPopup& exporting, WindowWishes& wishes) {
  if (ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
  for (const auto& [key, ctrl, shift] : ui.keys) {
    if (ctrl) {
      if (key == Key::z) shift ? app.redo() : app.undo();
      if (key == Key::y) app.redo();
      if (key == Key::s && app.result()) exporting.open();
      if (key == Key::q) wishes.close = true;
      if (key == Key::f) wishes.search = true;
      if (key == Key::equal || key == Key::pad_plus) ++wishes.zoom_steps;
      if (key == Key::minus || key == Key::pad_minus) --wishes.zoom_steps;
      if (key == Key::digit0) wishes = {.close = wishes.close, .zoom_steps = 0, .zoom_reset = true};
      continue;
    }
    if (key == Key::space) app.toggle_play();
    if (key == Key::home) app.show({});
    if (key == Key::down) app.open_neighbour(1);
    if (key == Key::up) app.open_neighbour(-1);
    if (key == Key::f1) helping_ = true;
  }
}

}  // namespace orrery::gui
