// What the figure says while the pointer rests on it.
#include <algorithm>

#include "app/gui/figure_view.h"
#include "app/gui/read_out_box.h"
#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

ImVec2 on_screen(ImVec2 origin, figure::Point p, float scale) {
  return {origin.x + static_cast<float>(p.x) * scale, origin.y + static_cast<float>(p.y) * scale};
}

/// Where the foot of a hint about a plot stands: above it where the figure has room for that, else below it. What lies
/// around the figure stays in sight, the steps of the first minute above all.
ImVec2 hint_foot(Ui& ui, std::string_view hint, float x, ImVec2 low, ImVec2 high, ImVec2 figure_low,
                 float figure_right) {
  const float away = ui.px(4), wrap = std::min(ui.px(320), ui.faces.words.width(hint) + 1);
  const float height = rich_height(ui, wrap, ui.faces.words, hint) + ui.px(14);
  const float left = std::max(figure_low.x, std::min(x, figure_right - wrap - ui.px(20)));
  const bool above = low.y - away - height >= figure_low.y;
  return {left, above ? low.y - away : high.y + away + height};
}

/// Where it is seen, for those who ask by name: the first of several, as two boxes of a diagram may stand for one part.
void mark_region(Ui& ui, ImVec2 origin, const figure::PanelFrame& frame, const figure::Handle& region,
                 Declared declared) {
  const std::optional<figure::Rect> box = region_box(frame, region);
  const std::string name = "region:" + choice_of(region, declared);
  if (!box || ui.items.find(name)) return;
  ui.items.mark(name, on_screen(origin, {box->x, box->y}, ui.scale),
                on_screen(origin, {box->x + box->w, box->y + box->h}, ui.scale));
}

}  // namespace

std::optional<figure::Rect> FigureView::fit_box(const Ui& ui, std::size_t panel) const {
  const figure::View& view = key_.view;
  if (panel >= view.panels.size() || panel >= scene_.panels.size()) return std::nullopt;
  if (!view.panels[panel].x && !view.panels[panel].y) return std::nullopt;
  const figure::Rect& plot = scene_.panels[panel].plot;
  const double w = ui.faces.words.width(ui.say("Fit")) / double{ui.scale} + 16, h = 20;
  return figure::Rect{plot.x + plot.w - w - 6, plot.y + 6, w, h};
}

std::optional<int> FigureView::fit_at(const Ui& ui, figure::Point p) const {
  for (std::size_t i = 0; i < key_.view.panels.size(); ++i)
    if (const auto box = fit_box(ui, i); box && box->contains(p)) return static_cast<int>(i);
  return std::nullopt;
}

void FigureView::draw_fit_buttons(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) const {
  for (std::size_t i = 0; i < key_.view.panels.size(); ++i) {
    const auto box = fit_box(ui, i);
    if (!box) continue;
    const ImVec2 low = on_screen(origin, {box->x, box->y}, ui.scale),
                 high = on_screen(origin, {box->x + box->w, box->y + box->h}, ui.scale);
    const bool lit = box->contains(pointer);
    draw.AddRectFilled(low, high, color(lit ? ui.tokens.primary : ui.tokens.raised), ui.px(4));
    put(draw, ui.faces.words, (low.x + high.x) / 2, baseline_in(ui.faces.words, low.y, high.y - low.y),
        color(lit ? ui.tokens.on_primary : ui.tokens.text), ui.say("Fit"), Align::center);
    ui.items.mark("fit:" + std::to_string(i), low, high);
    if (!lit) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    help(ui, true, ui.say("Show all of this panel again (double click, Home)"));
  }
}

void FigureView::draw_handles(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) const {
  const std::optional<HandleId> near =
      gesture_ == Gesture::handle ? grabbed_ : handle_at(figure(), scene_, declared(), pointer);
  for (std::size_t i = 0; i < std::min(figure().panels.size(), scene_.panels.size()); ++i) {
    for (std::size_t k = 0; k < figure().panels[i].handles.size(); ++k) {
      const figure::Handle& handle = figure().panels[i].handles[k];
      const HandleId id{static_cast<int>(i), static_cast<int>(k)};
      if (is_region(handle, declared())) {
        mark_region(ui, origin, scene_.panels[i], handle, declared());
        continue;
      }
      const bool lit = near && *near == id;
      if (!in_sight(scene_.panels[i], handle) || (!lit && !has_ring(figure().panels[i], k, declared())))
        continue;
      const ImVec2 at = on_screen(origin, scene_.panels[i].to_page(handle.x, handle.y), ui.scale);
      const auto radius = static_cast<float>(ring_radius(scene_.panels[i], handle, declared()));
      if (lit) draw.AddCircleFilled(at, ui.px(11), color(ui.tokens.accent, 0.22));
      draw.AddCircleFilled(at, ui.px(radius), color(ui.tokens.ground));
      draw.AddCircle(at, ui.px(radius), color(ui.tokens.accent), 0, 1.8f * ui.scale);
      ui.items.mark("handle:" + handle.parameter, {at.x - 2, at.y - 2}, {at.x + 2, at.y + 2});
      if (!lit) continue;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      // Said until it was done once: who knows it wants to see what lies below.
      if (gesture_ != Gesture::none || handle.hint.empty() || known_.contains(handle.parameter)) continue;
      const figure::Rect& plot = scene_.panels[i].plot;
      const std::string hint = ui.say(handle.hint);
      help_above(ui, true, hint,
                 hint_foot(ui, hint, at.x, on_screen(origin, {plot.x, plot.y}, ui.scale),
                           on_screen(origin, {plot.x + plot.w, plot.y + plot.h}, ui.scale), origin,
                           on_screen(origin, {scene_.width, 0}, ui.scale).x));
    }
  }
}

/// A legend entry lifts its series; over a plot, the crosshair, here and in every panel that shares the axis.
void FigureView::hover(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) {
  if (handle_at(figure(), scene_, declared(), pointer)) return;
  if (const auto entry = legend_at(pointer)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!key_.view.hidden.contains(*entry)) lifted_ = *entry;
    return help(ui, true, ui.say("Click hides or shows, Ctrl: this one alone, Ctrl+Shift: all"));
  }
  if (frame_region(ui, draw, origin, pointer)) {
    const auto region = region_at(figure(), scene_, declared(), pointer);
    const auto& handles = figure().panels[static_cast<std::size_t>(region->panel)].handles;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return help(ui, true, ui.say(handles[static_cast<std::size_t>(region->handle)].hint));
  }
  if (const int panel = panel_at(scene_, pointer); panel >= 0) {
    const Axes axes = axes_at(scene_.panels[static_cast<std::size_t>(panel)], pointer);
    if (axes.x != axes.y)
      ImGui::SetMouseCursor(axes.x ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  }
  show_readout(ui, draw, origin, pointer);
}

/// A part of a diagram that can be pressed; true where there is one.
bool FigureView::frame_region(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point p) const {
  const auto region = region_at(figure(), scene_, declared(), p);
  if (!region) return false;
  const auto at = static_cast<std::size_t>(region->panel);
  const figure::Handle& own = figure().panels[at].handles[static_cast<std::size_t>(region->handle)];
  if (const auto box = region_box(scene_.panels[at], own))
    draw.AddRect(on_screen(origin, {box->x - 2, box->y - 2}, ui.scale),
                 on_screen(origin, {box->x + box->w + 2, box->y + box->h + 2}, ui.scale),
                 color(ui.tokens.accent, 0.7), ui.px(3), 0, ui.scale);
  return true;
}

/// The crosshair and what it reads.
void FigureView::show_readout(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) {
  const int panel = panel_at(scene_, pointer);
  if (panel < 0 || static_cast<std::size_t>(panel) >= figure().panels.size()) return;
  const auto i = static_cast<std::size_t>(panel);
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
