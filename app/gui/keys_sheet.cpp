#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float key_height = 20, keys_head = 26;

struct Line {
  std::string keys, meaning, id;
};
struct Block {
  std::string head;
  std::vector<Line> lines;
};
using Gesture = std::array<std::string_view, 2>;

constexpr std::array keyboard{
    Gesture{"Tab, Shift+Tab", "From control to control"}, Gesture{"Arrows", "Turn it; ten steps with Shift"},
    Gesture{"Enter", "Press it, or type its value"}, Gesture{"Esc", "Leave, close"}};
constexpr std::array on_figure{Gesture{"Arrow keys", "Move the crosshair; with Ctrl faster"},
                               Gesture{"+, \u2212", "Zoom at the crosshair"},
                               Gesture{"Shift+Arrows", "Pan"},
                               Gesture{"Page Up, Page Down", "From panel to panel"},
                               Gesture{"Enter, Space", "Press the part that is framed"},
                               Gesture{"Ctrl+Enter", "Work the cell out, where rings mark one"},
                               Gesture{"Alt+Enter", "Copy the values there"},
                               Gesture{"N, Shift+N", "From legend to legend"},
                               Gesture{"Enter on a legend", "Hide or show it"},
                               Gesture{"Ctrl+Enter on it", "It alone, or all"},
                               Gesture{"Ctrl+Shift+Enter", "All of them"}};
constexpr std::array mouse{Gesture{"Drag", "Pan"},
                           Gesture{"Wheel", "Zoom at the pointer"},
                           Gesture{"Right-drag", "Zoom into the box"},
                           Gesture{"with Shift, Alt", "of x alone, of y alone"},
                           Gesture{"X or Y held", "That axis alone"},
                           Gesture{"On an axis", "Each of them of that axis"},
                           Gesture{"Double click", "The whole panel"},
                           Gesture{"Right-click", "A menu"},
                           Gesture{"Alt+click", "Copy the values there"},
                           Gesture{"Ctrl+click a cell", "Work it out, where rings mark one"},
                           Gesture{"Drag a ring", "Turn its parameter"},
                           Gesture{"Click a legend", "Hide or show it"},
                           Gesture{"Ctrl+click it", "It alone, or all"},
                           Gesture{"Ctrl+Shift+click it", "All of them"},
                           Gesture{"Click a value", "Type it: 2^16, pi/4, 8k, 8Ki"},
                           Gesture{"Right-click it", "Its default"},
                           Gesture{"Shift+click Export", "Again, to the same file"},
                           Gesture{"Drop a file", "Open it"}};

std::vector<Block> blocks(const Ui& ui, const KeyMap& keys) {
  std::vector<Block> all;
  for (const Group group : groups) {
    Block block{ui.say(group_name(group)), {}};
    for (const Action& action : actions()) {
      if (action.group != group || keys.keys(action).empty()) continue;
      std::string chords;
      for (const Chord& chord : keys.keys(action)) chords += (chords.empty() ? "" : "  ") + chord_text(chord);
      block.lines.push_back({std::move(chords), ui.say(action.label), std::string(action.id)});
    }
    if (!block.lines.empty()) all.push_back(std::move(block));
  }
  const auto gestures = [&](std::string_view head, std::span<const Gesture> lines) {
    Block block{ui.say(head), {}};
    for (const auto& [what, meaning] : lines) block.lines.push_back({ui.say(what), ui.say(meaning), {}});
    all.push_back(std::move(block));
  };
  gestures("Keyboard", keyboard);
  gestures("With the keyboard on the figure", on_figure);
  gestures("Mouse", mouse);
  return all;
}

float height_of(const Block& block) {
  return keys_head + key_height * static_cast<float>(block.lines.size());
}

/// Whole blocks one below the other, in so many columns of about the same height: where each begins.
std::vector<std::size_t> columns(const std::vector<Block>& all, std::size_t count, float& tallest) {
  float least = 0, total = 0;
  for (const Block& block : all) {
    least = std::max(least, height_of(block));
    total += height_of(block);
  }
  std::vector<std::size_t> starts;
  for (float limit = std::max(least, total / static_cast<float>(count)); starts.empty();
       limit += key_height) {
    std::vector<std::size_t> tried{0};
    float height = 0;
    tallest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (height + height_of(all[i]) > limit && height > 0) {
        tried.push_back(i);
        height = 0;
      }
      height += height_of(all[i]);
      tallest = std::max(tallest, height);
    }
    if (tried.size() <= count) starts = std::move(tried);
  }
  return starts;
}

struct Widths {
  float keys = 0, meaning = 0;
};

Widths widths_of(const Ui& ui, const std::vector<Block>& all) {
  Widths w;
  for (const Block& block : all)
    for (const Line& line : block.lines) {
      w.keys = std::max(w.keys, ui.faces.words.width(line.keys));
      w.meaning = std::max(w.meaning, ui.faces.words.width(line.meaning));
    }
  return {std::ceil(w.keys), std::ceil(w.meaning)};
}

void draw_block(Ui& ui, const Block& block, ImVec2 at, const Widths& widths) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(at);
  section_head(ui, block.head);
  const Face& words = ui.faces.words;
  const float row = ui.px(key_height);
  float y = at.y + ui.px(keys_head) - ui.px(4);
  for (const Line& line : block.lines) {
    put(draw, words, at.x, baseline_in(words, y, row), color(ui.tokens.text), line.keys);
    const float x = at.x + widths.keys + ui.px(16);
    put(draw, words, x, baseline_in(words, y, row), color(ui.tokens.secondary), line.meaning);
    ImGui::SetCursorScreenPos({at.x, y});
    const std::string name = "key:" + (line.id.empty() ? line.keys : line.id);
    const Press p = press(ui, name, {x - at.x + widths.meaning, row}, Tab::passes);
    help(ui, p.hovered && !line.id.empty(), line.id);  // what it is called in a person's own key map
    y += row;
  }
}

/// Nothing in the sheet takes the keyboard but the button below it: the arrows are the sheet's.
void scroll_by_keys(Ui& ui) {
  const float row = ui.px(key_height), page = ImGui::GetWindowSize().y - row;
  float way = 0;
  if (ui.take(Key::down)) way += row;
  if (ui.take(Key::up)) way -= row;
  if (ui.take(Key::page_down)) way += page;
  if (ui.take(Key::page_up)) way -= page;
  if (ui.take(Key::home)) way = -ImGui::GetScrollMaxY();
  if (ui.take(Key::end)) way = ImGui::GetScrollMaxY();
  if (way != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + way, 0.0f, ImGui::GetScrollMaxY()));
}

}  // namespace

void KeysSheet::draw(Ui& ui, const KeyMap& keys) {
  if (wanted_) ImGui::OpenPopup("keys");
  wanted_ = false;
  if (!ImGui::IsPopupOpen("keys")) return;
  const std::vector<Block> all = blocks(ui, keys);
  const Widths widths = widths_of(ui, all);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float between = ui.px(32), column = widths.keys + ui.px(16) + widths.meaning, padding = ui.px(20);
  const float most_wide = screen.x - 2 * padding - ui.px(16), most_high = screen.y - 2 * padding - ui.px(60);
  const auto fit = static_cast<std::size_t>(std::max(1.0f, (most_wide + between) / (column + between)));
  // As few columns as the window is high enough for.
  float tallest = 0;
  std::vector<std::size_t> starts;
  for (std::size_t count = 1; count <= fit; ++count) {
    starts = columns(all, count, tallest);
    if (ui.px(1) * tallest <= most_high && count > 1) break;
  }
  const float width = static_cast<float>(starts.size()) * (column + between) - between;
  const float height = std::min(ui.scale * tallest + ui.px(8), most_high);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (begin_popup(ui, "keys")) {
    compat::begin_child("sheet", {width + ui.px(8), height});
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (std::size_t c = 0; c < starts.size(); ++c) {
      const std::size_t end = c + 1 < starts.size() ? starts[c + 1] : all.size();
      ImVec2 at(origin.x + static_cast<float>(c) * (column + between), origin.y);
      for (std::size_t i = starts[c]; i < end; ++i) {
        draw_block(ui, all[i], at, widths);
        at.y += ui.scale * height_of(all[i]);
      }
    }
    ImGui::SetCursorScreenPos({origin.x, origin.y + ui.scale * tallest});
    ImGui::Dummy({1, 1});
    scroll_by_keys(ui);
    ImGui::EndChild();
    const std::string file = ui.say("Keys of your own: {}", key_map_file().string());
    const ImVec2 foot = ImGui::GetCursorScreenPos();
    put(*ImGui::GetWindowDrawList(), ui.faces.small_numbers, foot.x,
        baseline_in(ui.faces.small_numbers, foot.y, ui.px(20)), color(ui.tokens.faint),
        fitted(ui.faces.small_numbers, file, width - ui.px(100)));
    ImGui::SetCursorScreenPos({foot.x + width - ui.px(80), foot.y});
    if (button(ui, "keys-close", ui.say("Close"), {ui.px(80), ui.px(24)})) ImGui::CloseCurrentPopup();
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
