// What the figure says while the pointer rests on it.
#include <algorithm>

#include "app/gui/figure_view.h"
#include "app/gui/read_out_box.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

ImVec2 on_screen(ImVec2 origin, figure::Point p, float scale) {
  return {origin.x + static_cast<float>(p.x) * scale, origin.y + static_cast<float>(p.y) * scale};
}

}  // namespace

void FigureView::draw_handles(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) const {
  const std::optional<HandleId> near =
      gesture_ == Gesture::handle ? grabbed_ : handle_at(figure(), scene_, pointer);
  for (std::size_t i = 0; i < std::min(figure().panels.size(), scene_.panels.size()); ++i) {
    for (std::size_t k = 0; k < figure().panels[i].handles.size(); ++k) {
      const figure::Handle& handle = figure().panels[i].handles[k];
      if (!in_sight(scene_.panels[i], handle)) continue;
      const ImVec2 at = on_screen(origin, scene_.panels[i].to_page(handle.x, handle.y), ui.scale);
      const bool lit = near && *near == HandleId{static_cast<int>(i), static_cast<int>(k)};
      if (lit) draw.AddCircleFilled(at, ui.px(11), color(ui.tokens.accent, 0.22));
      draw.AddCircleFilled(at, ui.px(6), color(ui.tokens.ground));
      draw.AddCircle(at, ui.px(6), color(ui.tokens.accent), 0, 1.8f * ui.scale);
      ui.items.mark("handle:" + handle.parameter, {at.x - 2, at.y - 2}, {at.x + 2, at.y + 2});
      if (!lit) continue;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (gesture_ == Gesture::none && !handle.hint.empty()) help(ui, true, ui.say(handle.hint));
    }
  }
}

/// A legend entry lifts its series; over a plot, the crosshair, here and in every panel that shares the axis.
void FigureView::hover(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) {
  if (handle_at(figure(), scene_, pointer)) return;
  if (const auto entry = legend_at(pointer)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!key_.view.hidden.contains(*entry)) lifted_ = *entry;
    return help(ui, true, ui.say("Click hides or shows, Ctrl: this one alone, Ctrl+Shift: all"));
  }
  const int panel = panel_at(scene_, pointer);
  if (panel < 0 || static_cast<std::size_t>(panel) >= figure().panels.size()) return;
  const auto i = static_cast<std::size_t>(panel);
  const Axes axes = axes_at(scene_.panels[i], pointer);
  if (axes.x != axes.y) ImGui::SetMouseCursor(axes.x ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  readout_ = read_out(shown(i), pointer);
  if (!readout_) return;
  const int group = figure().panels[i].x.group;
  for (std::size_t k = 0; k < figure().panels.size(); ++k) {
    if (k == i || group == 0 || figure().panels[k].x.group != group || !readout_->x) continue;
    if (const auto there = read_at(shown(k), *readout_->x))
      draw_crosshair(ui, draw, origin, *there, scene_.panels[k].plot);
  }
  draw_crosshair(ui, draw, origin, *readout_, scene_.panels[i].plot);
  draw_read_out_box(ui, draw, origin, *readout_, scene_.panels[i].plot, pointer);
}

}  // namespace orrery::gui
