#include <algorithm>
#include <array>

#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

struct Line {
  std::string keys, meaning;
};
struct Block {
  std::string head;
  std::vector<Line> lines;
};

constexpr std::array<std::array<std::string_view, 2>, 9> gestures{
    {{"Drag", "pan"},
     {"Wheel", "zoom at the pointer; over an axis, that axis alone"},
     {"Right-drag", "zoom into the box"},
     {"Double click", "the whole figure again"},
     {"Ring in the figure", "drag it to turn its parameter"},
     {"Click in the legend", "hide or show; with Ctrl alone or all"},
     {"Click on a value", "type it: 4096, 2^16, pi/4"},
     {"Right-click on a parameter", "back to its default"},
     {"Drop a file", "opens a recipe, a figure, or the study's own file"}}};

std::vector<Block> blocks(const KeyMap& keys) {
  std::vector<Block> all;
  for (const Group group : groups) {
    Block block{std::string(group_name(group)), {}};
    for (const Action& action : actions()) {
      if (action.group != group || keys.keys(action).empty()) continue;
      std::string chords;
      for (const Chord& chord : keys.keys(action)) chords += (chords.empty() ? "" : "  ") + chord_text(chord);
      block.lines.push_back({std::move(chords), std::string(action.label)});
    }
    if (!block.lines.empty()) all.push_back(std::move(block));
  }
  Block mouse{"Mouse", {}};
  for (const auto& [keys_of, meaning] : gestures)
    mouse.lines.push_back({std::string(keys_of), std::string(meaning)});
  all.push_back(std::move(mouse));
  return all;
}

}  // namespace

void KeysSheet::draw(Ui& ui, const KeyMap& keys) {
  if (wanted_) ImGui::OpenPopup("keys");
  wanted_ = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(24), ui.px(20)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (begin_popup(ui, "keys")) {
    for (const Block& block : blocks(keys)) {
      section_head(ui, block.head);
      ImDrawList& draw = *ImGui::GetWindowDrawList();
      for (const Line& line : block.lines) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float row = ui.px(20);
        put(draw, ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, row), color(ui.tokens.text),
            line.keys);
        put(draw, ui.faces.words, at.x + ui.px(190), baseline_in(ui.faces.words, at.y, row),
            color(ui.tokens.secondary), line.meaning);
        ImGui::Dummy({ui.px(520), row});
      }
    }
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
