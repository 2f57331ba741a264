// What the mouse does to the figure.
#include <algorithm>
#include <cmath>

#include "app/figure/reading.h"
#include "app/figure/shared_axes.h"
#include "app/gui/figure_view.h"
#include "app/gui/links_section.h"

namespace orrery::gui {
namespace {

constexpr double wheel_step = 1.2;
constexpr double click_slop = 4;  // points that a click may move

bool held(char letter) {
  return !ImGui::GetIO().WantTextInput && ImGui::IsKeyDown(compat::key_code(static_cast<Key>(letter)));
}

/// Only linear axes have units to be equal.
bool equal_units(const figure::Panel& panel, const figure::PanelFrame& frame) {
  return panel.equal_aspect && frame.x_scale.kind() == figure::Scale::Kind::linear &&
         frame.y_scale.kind() == figure::Scale::Kind::linear;
}

/// A part of the picture is chosen; on what is chosen already its study opens, with these numbers.
void press_region(App& app, const figure::Panel& panel, const figure::Handle& region, Declared declared) {
  const std::string choice = choice_of(region, declared);
  if (app.settings().choice(region.parameter) != choice) {
    app.change(region.parameter, choice);
    return;
  }
  for (const study::Link& link : study::links_in(app.result()->result))
    if (link.of == panel.title) return follow(app, link);
}

}  // namespace

void FigureView::interact(App& app, Ui& ui, ImVec2 origin, bool hovered, bool pressed) {
  const ImGuiIO& io = ImGui::GetIO();
  const figure::Point pointer{(io.MousePos.x - origin.x) / double{ui.scale},
                              (io.MousePos.y - origin.y) / double{ui.scale}};
  readout_.reset();
  lifted_.reset();
  if (!is_live(app)) {
    gesture_ = Gesture::none;
    return;
  }
  if (hovered) {
    if (const int panel = panel_at(scene_, pointer); panel >= 0) pointed_ = panel;
    for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right})
      if (ImGui::IsMouseClicked(button)) press_button(app, ui, pointer, button);
    if (io.MouseWheel != 0) turn_wheel(app, pointer, io.MouseWheel);
  }
  if (gesture_ != Gesture::none) continue_gesture(app, pointer);

  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (gesture_ == Gesture::box) draw_box(ui, draw, origin, pointer);
  draw_handles(ui, draw, origin, hovered || pressed ? pointer : figure::Point{-1e9, -1e9});
  draw_fit_buttons(ui, draw, origin, hovered ? pointer : figure::Point{-1e9, -1e9});
  const bool by_keys = ui.by_keys() && cursor_.anywhere();
  if (hovered && !by_keys && gesture_ == Gesture::none && !fit_at(ui, pointer))
    hover(ui, draw, origin, pointer);
}

Axes FigureView::free_axes(int panel, figure::Point p) const {
  const auto i = static_cast<std::size_t>(panel);
  Axes axes = axes_at(scene_.panels[i], p);
  if (held('X')) axes = {true, false};
  if (held('Y')) axes = {false, true};
  return equal_units(figure().panels[i], scene_.panels[i]) ? Axes{} : axes;
}

void FigureView::press_button(App& app, const Ui& ui, figure::Point p, int button) {
  if (button == ImGuiMouseButton_Left) {
    if (ImGui::IsMouseDoubleClicked(button) && !fit_at(ui, p) &&
        !region_at(figure(), scene_, declared(), p)) {
      // The whole panel again, or one axis of it; with it the clicks' own gesture ends.
      const int panel = panel_at(scene_, p);
      if (panel >= 0 && !legend_at(p) && !handle_at(figure(), scene_, declared(), p))
        show(app, panel, {}, free_axes(panel, p));
      gesture_ = Gesture::none;
      return;
    }
    if (const auto panel = fit_at(ui, p)) return show(app, *panel, {}, {});
    if (const auto entry = legend_at(p)) {
      const ImGuiIO& io = ImGui::GetIO();
      return click_legend(app, *entry,
                          !io.KeyCtrl   ? LegendClick::hide_or_show
                          : io.KeyShift ? LegendClick::all
                                        : LegendClick::alone);
    }
    if (ImGui::GetIO().KeyCtrl && choose_cell(app, p)) return;
    if (ImGui::GetIO().KeyAlt) {
      const int panel = panel_at(scene_, p);
      if (panel >= 0) readout_ = read_out(shown(static_cast<std::size_t>(panel)), p);
      return copy_under_crosshair(app, ui);
    }
  }
  begin_gesture(p, button);
}

/// The cell of a map under the pointer, where two handles stand for one.
bool FigureView::choose_cell(App& app, figure::Point p) {
  const int panel = panel_at(scene_, p);
  if (panel < 0) return false;
  const auto i = static_cast<std::size_t>(panel);
  const auto cell = cell_handles(figure().panels[i], declared());
  if (!cell || !scene_.panels[i].plot.contains(p)) return false;
  const auto to = scene_.panels[i].to_data(p);
  for (const figure::Handle* each : {cell->across, cell->down}) {
    if (const auto value = dragged(*each, app.settings(), to)) app.change(each->parameter, *value);
    known_.insert(each->parameter);
  }
  return true;
}

void FigureView::turn_wheel(App& app, figure::Point p, float steps) const {
  const int panel = panel_at(scene_, p);
  if (panel < 0) return;
  const Axes axes = free_axes(panel, p);
  const figure::PanelFrame& frame = scene_.panels[static_cast<std::size_t>(panel)];
  show(app, panel, zoomed(frame, p, std::pow(wheel_step, steps), axes), axes);
}

void FigureView::show(App& app, int panel, const PanelView& ranges, Axes axes) const {
  figure::View view = app.view();
  set_view(view, panel, ranges, axes);
  figure::follow(figure(), panel, view);
  app.show(view, "view");
}

std::optional<FigureView::MarkId> FigureView::legend_at(figure::Point p) const {
  for (const figure::LegendBox& entry : scene_.legend)
    if (entry.box.contains(p)) return MarkId{entry.panel, entry.mark};
  return std::nullopt;
}

/// One that is alone already, and is to be alone, brings back all of them. What shares the legend follows.
void FigureView::click_legend(App& app, MarkId mark, LegendClick what) const {
  const auto marks_of = [&](MarkId entry) {
    return figure::same_series(figure(), entry.first, entry.second);
  };
  figure::View view = app.view();
  auto& hidden = view.hidden;
  const std::set<MarkId> own = marks_of(mark);
  if (what != LegendClick::hide_or_show) {
    std::set<MarkId> others;
    for (const figure::LegendBox& other : scene_.legend)
      if (other.panel == mark.first && other.mark != mark.second)
        others.merge(marks_of({other.panel, other.mark}));
    const bool alone =
        !hidden.contains(mark) && std::includes(hidden.begin(), hidden.end(), others.begin(), others.end());
    for (const auto& marks : {own, others})
      for (const MarkId& each : marks) hidden.erase(each);
    if (!alone && what == LegendClick::alone) hidden.insert(others.begin(), others.end());
  } else if (hidden.contains(mark)) {
    for (const MarkId& each : own) hidden.erase(each);
  } else {
    hidden.insert(own.begin(), own.end());
  }
  app.show(view);
}

void FigureView::begin_gesture(figure::Point p, int button) {
  from_ = last_ = p;
  button_ = button;
  grabbed_.reset();
  dragged_ = false;
  if (button == ImGuiMouseButton_Left) {
    grabbed_ = handle_at(figure(), scene_, declared(), p);
    if (grabbed_) {
      const auto panel = static_cast<std::size_t>(grabbed_->panel);
      held_ = figure().panels[panel].handles[static_cast<std::size_t>(grabbed_->handle)];
      held_from_ = key_.outcome->settings;
      grab_ = grab(scene_.panels[panel], held_, declared(), p);
      gesture_ = Gesture::handle;
      return;
    }
  }
  panel_ = panel_at(scene_, p);
  if (panel_ < 0) return;
  start_ = scene_.panels[static_cast<std::size_t>(panel_)];
  axes_ = axes_at(start_, p);
  if (equal_units(figure().panels[static_cast<std::size_t>(panel_)], start_)) axes_ = {};
  gesture_ = button == ImGuiMouseButton_Left && !boxes_ ? Gesture::pan : Gesture::box;
}

void FigureView::continue_gesture(App& app, figure::Point p) {
  const bool ended = !ImGui::IsMouseDown(button_);
  const bool moved = std::hypot(p.x - from_.x, p.y - from_.y) > click_slop;
  // A hand that trembles in a click is no drag.
  dragged_ = dragged_ || moved;
  switch (gesture_) {
    case Gesture::handle:
      if (!ended && dragged_ && (p.x != last_.x || p.y != last_.y)) drag_handle(app, p);
      if (ended && !dragged_) press_handle(app);
      if (ended && dragged_) known_.insert(held_.parameter);
      break;
    case Gesture::pan: {
      if (ended && !dragged_) press_part(app, p);
      if (ended || !dragged_) break;
      Axes axes = axes_;
      if (held('X') && axes.x) axes.y = false;
      if (held('Y') && axes.y) axes.x = false;
      // Back where it was along the other axis: a key may come late.
      show(app, panel_, panned(start_, from_, p, axes), axes_);
      break;
    }
    case Gesture::box:
      if (ended && moved) end_box(app, p);
      if (ended && !moved && button_ == ImGuiMouseButton_Right) menu_wanted_ = true;
      if (ended && !moved && button_ == ImGuiMouseButton_Left) press_part(app, p);
      break;
    case Gesture::none:
      break;
  }
  last_ = p;
  if (ended) gesture_ = Gesture::none;
}

bool FigureView::press_part(App& app, figure::Point p) const {
  const auto region = region_at(figure(), scene_, declared(), p);
  if (!region) return false;
  const figure::Panel& panel = figure().panels[static_cast<std::size_t>(region->panel)];
  press_region(app, panel, panel.handles[static_cast<std::size_t>(region->handle)], declared());
  return true;
}

void FigureView::drag_handle(App& app, figure::Point p) const {
  const auto panel = static_cast<std::size_t>(grabbed_->panel),
             place = static_cast<std::size_t>(grabbed_->handle);
  if (panel >= figure().panels.size() || place >= figure().panels[panel].handles.size()) return;
  const figure::Point to = gui::moved(grab_, p);
  if (const auto value = dragged(held_, held_from_, scene_.panels[panel].to_data(to)))
    app.change(held_.parameter, *value, "handle:" + held_.parameter);
}

void FigureView::press_handle(App& app) const {
  const auto panel = static_cast<std::size_t>(grabbed_->panel);
  if (panel >= figure().panels.size()) return;
  if (const figure::Handle* face = face_of(figure().panels[panel], held_, declared()))
    if (const auto value = dragged(*face, app.settings(), {face->x, face->y}))
      app.change(face->parameter, *value);
}

/// The box up to there, and the axes it is of: as high or as wide as the plot where it is of one axis alone.
figure::Rect FigureView::box_to(figure::Point p, Axes& axes) const {
  const ImGuiIO& io = ImGui::GetIO();
  const figure::Rect& plot = start_.plot;
  axes = axes_;
  if (axes_ == Axes{}) {
    if (io.KeyShift || held('X')) axes = {true, false};
    if (io.KeyAlt || held('Y')) axes = {false, true};
  }
  const auto within = [](double v, double low, double length) { return std::clamp(v, low, low + length); };
  const double x0 = within(from_.x, plot.x, plot.w), x1 = within(p.x, plot.x, plot.w);
  const double y0 = within(from_.y, plot.y, plot.h), y1 = within(p.y, plot.y, plot.h);
  figure::Rect box{std::min(x0, x1), std::min(y0, y1), std::abs(x1 - x0), std::abs(y1 - y0)};
  if (!axes.x) box.x = plot.x, box.w = plot.w;
  if (!axes.y) box.y = plot.y, box.h = plot.h;
  return box;
}

void FigureView::end_box(App& app, figure::Point p) const {
  Axes axes;
  const figure::Rect box = box_to(p, axes);
  // A stroke along one axis is no box of the other.
  if (box.w < click_slop) axes.x = false;
  if (box.h < click_slop) axes.y = false;
  if (axes.x || axes.y) show(app, panel_, boxed(start_, box, axes), axes);
}

void FigureView::draw_box(const Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point p) const {
  Axes axes;
  const figure::Rect box = box_to(p, axes);
  const auto at = [&](double x, double y) {
    return ImVec2(origin.x + static_cast<float>(x) * ui.scale, origin.y + static_cast<float>(y) * ui.scale);
  };
  const ImVec2 low = at(box.x, box.y), high = at(box.x + box.w, box.y + box.h);
  draw.AddRectFilled(low, high, color(ui.tokens.accent, 0.12));
  draw.AddRect(low, high, color(ui.tokens.accent, 0.8), 0, 0, ui.scale);
}

}  // namespace orrery::gui
