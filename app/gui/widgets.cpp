#include "app/gui/widgets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "app/gui/stroke.h"
#include "app/language/dictionary.h"

namespace orrery::gui {
namespace {

constexpr float menu_inset = 26;  // room for the tick before a row

/// Where the arrows go from the chosen one, past those that are off; −1: nowhere.
int turned_segment(Ui& ui, int count, int selected, std::span<const bool> disabled) {
  const Turn turn = take_turn(ui, Arrows::sideways);
  if (!turn) return -1;
  const int direction = turn.to_start || (turn.steps > 0 && !turn.to_end) ? 1 : -1;
  int at = turn.to_start ? 0 : turn.to_end ? count - 1 : selected + direction;
  const auto off = [&](int i) {
    return static_cast<std::size_t>(i) < disabled.size() && disabled[static_cast<std::size_t>(i)];
  };
  while (at >= 0 && at < count && off(at)) at += direction;
  return at >= 0 && at < count ? at : -1;
}

}  // namespace

void put(ImDrawList& draw, const Face& face, float x, float baseline, ImU32 ink, std::string_view text,
         Align align) {
  if (text.empty()) return;
  face.ask(text);
  if (align != Align::left) x -= face.width(text) * (align == Align::center ? 0.5f : 1.0f);
  draw.AddText(face.font, face.size, {x, baseline - face.ascent}, ink, text.data(),
               text.data() + text.size());
}

void put_lit(Ui&, ImDrawList& draw, const Face& face, float x, float baseline, std::string_view text,
             std::span<const std::size_t> lit, ImU32 ink, ImU32 light) {
  const auto is_lit = [&](std::size_t i) { return std::binary_search(lit.begin(), lit.end(), i); };
  for (std::size_t from = 0; from < text.size();) {
    std::size_t to = from + 1;
    while (to < text.size() && is_lit(to) == is_lit(from)) ++to;
    const std::string_view run = text.substr(from, to - from);
    put(draw, face, x, baseline, is_lit(from) ? light : ink, run);
    x += face.width(run);
    from = to;
  }
}

float baseline_in(const Face& face, float top, float height) {
  return std::floor(top + (height + face.cap) / 2 + 0.5f);
}

std::string fitted(const Face& face, std::string_view text, float width) {
  if (face.width(text) <= width) return std::string(text);
  constexpr std::string_view dots = "\u2026";
  std::string cut(text);
  do {
    // A whole character goes at a time: the bytes that continue it, then the one that starts it.
    while (!cut.empty() && (cut.back() & 0xC0) == 0x80) cut.pop_back();
    if (!cut.empty()) cut.pop_back();
  } while (!cut.empty() && face.width(cut) + face.width(dots) > width);
  return cut + std::string(dots);
}

std::string fitted_end(const Face& face, std::string_view text, float width) {
  if (face.width(text) <= width) return std::string(text);
  constexpr std::string_view dots = "\u2026";
  do {
    if (!text.empty()) text.remove_prefix(1);
    while (!text.empty() && (text.front() & 0xC0) == 0x80) text.remove_prefix(1);
  } while (!text.empty() && face.width(text) + face.width(dots) > width);
  return std::string(dots) + std::string(text);
}

bool has_keyboard(Ui& ui, std::string_view name, ImVec2 low, ImVec2 high) {
  const bool here = ui.focus.stop(name, low, high);
  if (ui.focus.arrived(name)) {
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
    if (low.y < top || high.y > bottom) ImGui::SetScrollFromPosY((low.y + high.y) / 2 - top, 0.5f);
  }
  return here && !ImGui::GetIO().WantTextInput;  // a field that is being typed into has it first
}

Press press(Ui& ui, std::string_view name, ImVec2 size, Tab tab) {
  const std::string id(name);
  Press p;
  p.clicked = ImGui::InvisibleButton(id.c_str(), {std::max(1.0f, size.x), std::max(1.0f, size.y)});
  p.hovered = ImGui::IsItemHovered();
  p.held = ImGui::IsItemActive();
  p.started = ImGui::IsItemActivated();
  p.right_clicked = p.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  p.double_clicked = p.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  p.low = ImGui::GetItemRectMin();
  p.high = ImGui::GetItemRectMax();
  ui.items.mark(name, p.low, p.high);
  if (tab == Tab::passes) return p;
  if (p.started) ui.focus.touched(name);
  p.focused = has_keyboard(ui, name, p.low, p.high);
  // What was pressed may put something else under the keyboard, which a key that is still held must not press as well.
  p.by_key = p.focused && (ui.take_press({Key::enter}) || ui.take_press({Key::space}));
  p.clicked = p.clicked || p.by_key;
  return p;
}

Turn take_turn(Ui& ui, Arrows arrows) {
  Turn turn;
  const auto count = [&](Key key, int direction) {
    for (const bool shift : {false, true})
      if (ui.take({.key = key, .shift = shift})) turn.steps += direction * (shift ? 10 : 1);
  };
  count(Key::right, 1);
  count(Key::left, -1);
  if (arrows == Arrows::all) {
    count(Key::up, 1);
    count(Key::down, -1);
    turn.steps += ui.take(Key::page_up) ? 10 : 0;
    turn.steps -= ui.take(Key::page_down) ? 10 : 0;
  }
  turn.to_start = ui.take(Key::home);
  turn.to_end = ui.take(Key::end);
  return turn;
}

std::string take_typed(Ui& ui) {
  std::string typed;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
    if (c < 128 &&
        (std::isalnum(c) || std::string_view("+-.([").find(static_cast<char>(c)) != std::string_view::npos))
      typed += static_cast<char>(c);
  if (!typed.empty())
    std::erase_if(ui.keys, [](const KeyPress& k) { return k.key < Key::escape && !k.ctrl && !k.alt; });
  return typed;
}

Field text_field(Ui& ui, std::string_view name, std::string& text, std::string_view hint, float width,
                 ImGuiInputTextFlags flags) {
  const std::string id = "##" + std::string(name);
  ui.faces.words.ask(text);
  ui.faces.words.ask(hint);
  ImGui::SetNextItemWidth(width);
  ImGui::PushAllowKeyboardFocus(false);  // Tab is ours
  Field field;
  {
    const compat::EnterOnce once;
    field.entered = ImGui::InputTextWithHint(id.c_str(), std::string(hint).c_str(), &text,
                                             flags | ImGuiInputTextFlags_EnterReturnsTrue);
  }
  ImGui::PopAllowKeyboardFocus();
  field.active = ImGui::IsItemActive();
  field.left = ImGui::IsItemDeactivated();
  ui.items.mark_last(name);
  const bool activated = ImGui::IsItemActivated();
  has_keyboard(ui, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  const bool here = ui.focus.on(name);
  if (activated && !here) ui.focus.set_by_mouse(name);
  if (field.active && !activated && !here) compat::leave_field();
  const bool opened = here && !field.active && !field.entered && ui.take_press({Key::enter});
  if (ui.focus.arrived(name) || opened) ImGui::SetKeyboardFocusHere(-1);
  return field;
}

bool begin_popup(Ui& ui, const char* id, ImGuiWindowFlags flags) {
  if (!ImGui::BeginPopup(id, flags)) return false;
  ui.focus.begin_popup();
  return true;
}

bool begin_modal(Ui& ui, const char* id, ImGuiWindowFlags flags) {
  // It lies over panes of its own colour: a line says where it ends.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ImGui::GetStyle().PopupBorderSize);
  ImGui::PushStyleColor(ImGuiCol_Border, color(ui.tokens.line));
  const bool shown = compat::begin_modal(id, flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (!shown) return false;
  ui.focus.begin_popup();
  return true;
}

void end_popup(Ui& ui) {
  if (ui.take(Key::escape)) ImGui::CloseCurrentPopup();
  ui.focus.end_popup();
  ImGui::EndPopup();
}

bool menu_row(Ui& ui, std::string_view name, std::string_view text, std::string_view chord, float width,
              bool checked, std::string_view why_not) {
  const Press p = press(ui, name, {width, ui.px(26)});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Tokens& t = ui.tokens;
  const bool off = !why_not.empty();
  const float height = p.high.y - p.low.y, inset = ui.px(menu_inset);
  if ((p.hovered || p.focused) && !off) draw.AddRectFilled(p.low, p.high, color(t.control), ui.px(4));
  const ImU32 ink = color(off ? t.faint : t.text, off ? 0.7 : 1);
  if (checked)
    tick_mark(draw, {p.low.x + inset / 2, p.low.y + height / 2}, ui.px(9), color(t.accent), ui.raster);
  put(draw, ui.faces.words, p.low.x + inset, baseline_in(ui.faces.words, p.low.y, height), ink, text);
  put(draw, ui.faces.small_numbers, p.high.x - ui.px(10),
      baseline_in(ui.faces.small_numbers, p.low.y, height), color(t.faint), chord, Align::right);
  if (off) help(ui, p, why_not);
  return p.clicked && !off;
}

float room(const Ui&) {
  return ImGui::GetContentRegionAvail().x;
}

void gap(const Ui& ui, float design) {
  ImGui::Dummy({0, ui.px(design)});
}

void section_head(Ui& ui, std::string_view text, std::string_view note) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), height = ui.px(20);
  std::string capitals(text);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  put(draw, ui.faces.head, at.x, baseline_in(ui.faces.head, at.y, height), color(ui.tokens.faint), capitals);
  if (!note.empty())
    put(draw, ui.faces.small_numbers, at.x + width, baseline_in(ui.faces.head, at.y, height),
        color(ui.tokens.faint), note, Align::right);
  ImGui::Dummy({width, height});
}

bool button(Ui& ui, std::string_view name, std::string_view text, ImVec2 size, bool accent, bool enabled) {
  const Press p = press(ui, name, size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Tokens& t = ui.tokens;
  const bool lit = p.hovered && enabled;
  const figure::Color primary = enabled ? t.primary : t.accent_ground;
  draw.AddRectFilled(p.low, p.high, color(accent ? primary : lit ? t.raised : t.control), ui.px(4));
  if (accent && lit) draw.AddRectFilled(p.low, p.high, color(t.on_primary, 0.14), ui.px(4));
  const Face& face = accent ? ui.faces.words_bold : ui.faces.words;
  const figure::Color ink = !enabled ? t.faint : accent ? t.on_primary : t.text;
  put(draw, face, (p.low.x + p.high.x) / 2, baseline_in(face, p.low.y, p.high.y - p.low.y), color(ink), text,
      Align::center);
  return p.clicked && enabled;
}

void selected_ground(const Ui& ui, ImDrawList& draw, ImVec2 low, ImVec2 high, float rounding) {
  draw.AddRectFilled(low, high, color(ui.tokens.accent_ground), rounding);
  if (!ui.theme->high_contrast) return;
  const float in = ui.scale;  // half of the line
  draw.AddRect({low.x + in, low.y + in}, {high.x - in, high.y - in}, color(ui.tokens.accent), rounding, 0,
               2 * in);
}

std::string said_in(const Ui& ui, std::string_view list, std::string_view item) {
  return language::dictionary(ui.language).in_context(list, item);
}

float segments_width(const Ui& ui, std::span<const std::string_view> said, const Face& face) {
  float total = 0;
  for (const std::string_view word : said) total += face.width(word) + ui.px(14);
  return total;
}

int segmented(Ui& ui, std::string_view name, std::span<const std::string_view> items, int selected,
              float width, const Face& face, std::span<const bool> disabled) {
  std::vector<std::string> said;
  for (const std::string_view item : items) said.push_back(said_in(ui, name, item));
  return segmented(ui, name, items, said, selected, width, face, disabled);
}

int segmented(Ui& ui, std::string_view name, std::span<const std::string_view> items,
              const std::vector<std::string>& said, int selected, float width, const Face& face,
              std::span<const bool> disabled) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Tokens& t = ui.tokens;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(24);
  draw.AddRectFilled(at, {at.x + width, at.y + height}, color(t.control), ui.px(4));

  // Equal shares where every word fits its share, else shares by need.
  const auto count = static_cast<float>(items.size());
  float widest = 0, total = 0;
  for (const std::string& text : said) {
    widest = std::max(widest, face.width(text));
    total += face.width(text);
  }
  const bool equal = widest + ui.px(10) <= width / count;
  const float spare = std::max(0.0f, width - total) / count;

  int clicked = -1;
  float x = at.x;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const float right = i + 1 == items.size()
                            ? at.x + width
                            : std::floor(x + (equal ? width / count : face.width(said[i]) + spare));
    ImGui::SetCursorScreenPos({x, at.y});
    const Press p =
        press(ui, std::string(name) + "=" + std::string(items[i]), {right - x, height}, Tab::passes);
    const bool off = i < disabled.size() && disabled[i];
    const bool chosen = static_cast<int>(i) == selected;
    if (chosen) draw.AddRectFilled(p.low, p.high, color(t.chosen), ui.px(4));
    const figure::Color ink = chosen ? t.on_chosen : off ? t.faint : p.hovered ? t.text : t.secondary;
    put(draw, face, std::floor((x + right) / 2), baseline_in(face, at.y, height), color(ink, off ? 0.6 : 1),
        said[i], Align::center);
    if (p.clicked && !off) clicked = static_cast<int>(i);
    x = right;
  }
  if (has_keyboard(ui, name, at, {at.x + width, at.y + height}))
    if (const int turned = turned_segment(ui, static_cast<int>(items.size()), selected, disabled);
        turned >= 0)
      clicked = turned;
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  return clicked;
}

bool toggle_switch(Ui& ui, std::string_view name, bool on) {
  const ImVec2 size(ui.px(30), ui.px(16));
  const Press p = press(ui, name, size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Tokens& t = ui.tokens;
  const float radius = size.y / 2;
  draw.AddRectFilled(p.low, p.high, color(on ? t.accent : t.raised), radius);
  const float x = on ? p.high.x - radius : p.low.x + radius;
  draw.AddCircleFilled({x, p.low.y + radius}, radius - ui.px(3),
                       color(on          ? t.pane
                             : p.hovered ? t.text
                                         : t.secondary));
  return p.clicked;
}

void tick_mark(ImDrawList& draw, ImVec2 m, float s, ImU32 ink, float raster) {
  const std::array<ImVec2, 3> points{ImVec2(m.x - s * 0.5f, m.y + s * 0.05f),
                                     ImVec2(m.x - s * 0.13f, m.y + s * 0.42f),
                                     ImVec2(m.x + s * 0.5f, m.y - s * 0.4f)};
  stroke(draw, points, ink, s * 0.17f, 1 / raster, false);
}

void cross_mark(ImDrawList& draw, ImVec2 m, float s, ImU32 ink, float raster) {
  const float d = s * 0.38f;
  const std::array<ImVec2, 2> down{ImVec2(m.x - d, m.y - d), ImVec2(m.x + d, m.y + d)};
  const std::array<ImVec2, 2> up{ImVec2(m.x - d, m.y + d), ImVec2(m.x + d, m.y - d)};
  stroke(draw, down, ink, s * 0.17f, 1 / raster, false);
  stroke(draw, up, ink, s * 0.17f, 1 / raster, false);
}

}  // namespace orrery::gui
