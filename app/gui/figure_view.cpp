#include "app/gui/figure_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/shared_axes.h"
#include "app/gui/interaction.h"
#include "app/gui/read_out_box.h"
#include "app/gui/rich_text.h"
#include "app/gui/stroke.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr double look_again = 0.05;  // seconds: while something is computed
constexpr double wheel_step = 1.2;
constexpr double click_slop = 4;  // points that a click may move

ImVec2 on_screen(ImVec2 origin, figure::Point p, float scale) {
  return {origin.x + static_cast<float>(p.x) * scale, origin.y + static_cast<float>(p.y) * scale};
}

figure::Rect box_of(figure::Point a, figure::Point b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
}

}  // namespace

void FigureView::lay_out(const App& app, Ui& ui, figure::Size size) {
  Key key{app.shown(), size, app.view(), ui.theme, ui.scale * ui.raster};
  if (key.outcome && key.outcome->study != &app.study())
    key.view = {};  // the study before, until the new one is there
  if (key == key_) return;
  key_ = std::move(key);
  ++layouts_;
  triangulations_.clear();
  if (!key_.outcome) {
    scene_ = {};
    return;
  }
  figure::LayoutOptions options;
  options.size = size;
  options.pixels_per_point = key_.pixels_per_point;
  options.view = key_.view;
  scene_ =
      figure::layout(key_.outcome->result.figure, options, *ui.theme, ui.pictures.setter(ui.theme->fonts));
}

void FigureView::draw(App& app, Ui& ui, ImVec2 size) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  lay_out(app, ui, {std::max(40.0, size.x / double{ui.scale}), std::max(40.0, size.y / double{ui.scale})});

  const Press area = press(ui, "figure", size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect({origin.x - ui.px(24), origin.y - ui.px(8)},
                    {origin.x + size.x + ui.px(24), origin.y + size.y + ui.px(16)});
  DrawListCanvas canvas(draw, origin, ui.scale, ui.raster, ui.theme->fonts, ui.pictures, triangulations_);
  figure::paint(scene_, canvas);

  interact(app, ui, origin, area.hovered, area.held);

  const bool stale = app.stale();
  if (stale || !app.error().empty())
    draw.AddRectFilled({origin.x - ui.px(24), origin.y - ui.px(8)},
                       {origin.x + size.x + ui.px(24), origin.y + size.y + ui.px(16)},
                       color(ui.tokens.ground, 0.55));
  if (app.busy()) ui.wake_in(look_again);
  if (stale) {
    const float width = size.x * static_cast<float>(std::clamp(app.progress(), 0.0, 1.0));
    draw.AddRectFilled({origin.x, origin.y - ui.px(6)}, {origin.x + width, origin.y - ui.px(4)},
                       color(ui.tokens.accent));
  }
  if (!app.error().empty()) {
    // On a ground of its own: what it says must not be read through the figure's words.
    const ImVec2 at(origin.x + ui.px(14), origin.y + ui.px(4));
    const float width = size.x - ui.px(20);
    draw.ChannelsSplit(2);
    draw.ChannelsSetCurrent(1);
    const float height = rich_text(ui, draw, at, width, ui.faces.words, ui.tokens.fails, app.error()).height;
    draw.AddRectFilled({origin.x, at.y}, {origin.x + ui.px(3), at.y + height}, color(ui.tokens.fails));
    draw.ChannelsSetCurrent(0);
    draw.AddRectFilled({origin.x, at.y - ui.px(6)}, {origin.x + size.x, at.y + height + ui.px(6)},
                       color(ui.tokens.ground));
    draw.ChannelsMerge();
  }
  draw.PopClipRect();
}

void FigureView::interact(App& app, Ui& ui, ImVec2 origin, bool hovered, bool pressed) {
  const ImGuiIO& io = ImGui::GetIO();
  const figure::Point pointer{(io.MousePos.x - origin.x) / double{ui.scale},
                              (io.MousePos.y - origin.y) / double{ui.scale}};
  const bool live = app.result() != nullptr && key_.outcome.get() == app.result();
  if (!live) gesture_ = Gesture::none;

  if (live && hovered) {
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      // The whole panel again; with it the clicks' own gesture ends.
      const int panel = panel_at(scene_, pointer);
      if (panel >= 0 && !handle_at(key_.outcome->result.figure, scene_, pointer)) show(app, panel, {});
      gesture_ = Gesture::none;
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      if (!legend_clicked(app, pointer)) begin_gesture(app, pointer, ImGuiMouseButton_Left);
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
      begin_gesture(app, pointer, ImGuiMouseButton_Right);
    }
    const int panel = panel_at(scene_, pointer);
    if (io.MouseWheel != 0 && panel >= 0) {
      const figure::PanelFrame& frame = scene_.panels[static_cast<std::size_t>(panel)];
      show(app, panel, zoomed(frame, pointer, std::pow(wheel_step, io.MouseWheel), axes_at(frame, pointer)));
    }
  }
  if (gesture_ != Gesture::none) continue_gesture(app, pointer);

  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (gesture_ == Gesture::box) {
    const ImVec2 a = on_screen(origin, from_, ui.scale), b = on_screen(origin, pointer, ui.scale);
    const ImVec2 low(std::min(a.x, b.x), std::min(a.y, b.y)), high(std::max(a.x, b.x), std::max(a.y, b.y));
    draw.AddRectFilled(low, high, color(ui.tokens.accent, 0.12));
    draw.AddRect(low, high, color(ui.tokens.accent, 0.8));
  }
  if (!live) return;
  draw_handles(ui, draw, origin, hovered || pressed ? pointer : figure::Point{-1e9, -1e9});
  if (hovered && gesture_ == Gesture::none) draw_read_out(app, ui, draw, origin, pointer);
}

void FigureView::show(App& app, int panel, const PanelView& ranges) const {
  figure::View view = app.view();
  set_view(view, panel, ranges);
  figure::follow(key_.outcome->result.figure, panel, view);
  app.show(view, "view");
}

bool FigureView::legend_clicked(App& app, figure::Point p) {
  for (const figure::LegendBox& entry : scene_.legend) {
    if (!entry.box.contains(p)) continue;
    const std::pair<int, int> mark{entry.panel, entry.mark};
    figure::View view = app.view();
    auto& hidden = view.hidden;
    if (ImGui::GetIO().KeyCtrl) {
      // Alone; or, when it is alone already, all of them.
      std::set<std::pair<int, int>> others;
      for (const figure::LegendBox& other : scene_.legend)
        if (other.panel == entry.panel && other.mark != entry.mark) others.insert({other.panel, other.mark});
      const bool alone = std::includes(hidden.begin(), hidden.end(), others.begin(), others.end());
      std::erase_if(hidden, [&](const auto& pair) { return pair.first == entry.panel; });
      if (!alone) hidden.insert(others.begin(), others.end());
    } else if (hidden.erase(mark) == 0) {
      hidden.insert(mark);
    }
    app.show(view);
    return true;
  }
  return false;
}

void FigureView::begin_gesture(App& app, figure::Point p, int button) {
  from_ = last_ = p;
  grabbed_.reset();
  if (button == ImGuiMouseButton_Left) {
    grabbed_ = handle_at(app.result()->result.figure, scene_, p);
    if (grabbed_) {
      gesture_ = Gesture::handle;
      return;
    }
  }
  panel_ = panel_at(scene_, p);
  if (panel_ < 0) return;
  start_ = scene_.panels[static_cast<std::size_t>(panel_)];
  gesture_ = button == ImGuiMouseButton_Left ? Gesture::pan : Gesture::box;
}

void FigureView::continue_gesture(App& app, figure::Point p) {
  const int button = gesture_ == Gesture::box ? ImGuiMouseButton_Right : ImGuiMouseButton_Left;
  const bool ended = !ImGui::IsMouseDown(button);
  const bool moved = std::hypot(p.x - from_.x, p.y - from_.y) > click_slop;
  switch (gesture_) {
    case Gesture::handle: {
      if (ended || (p.x == last_.x && p.y == last_.y)) break;
      const auto panel = static_cast<std::size_t>(grabbed_->panel),
                 place = static_cast<std::size_t>(grabbed_->handle);
      const figure::Figure& figure = app.result()->result.figure;
      if (panel >= figure.panels.size() || place >= figure.panels[panel].handles.size()) break;
      const figure::Handle& handle = figure.panels[panel].handles[place];
      if (const auto value = dragged(handle, app.settings(), scene_.panels[panel].to_data(p)))
        app.change(handle.parameter, *value, "handle:" + handle.parameter);
      break;
    }
    case Gesture::pan:
      if (!ended && (moved || last_.x != from_.x || last_.y != from_.y))
        show(app, panel_, panned(start_, from_, p));
      break;
    case Gesture::box:
      if (ended && moved) show(app, panel_, boxed(start_, box_of(from_, p), {true, true}));
      break;
    case Gesture::none:
      break;
  }
  last_ = p;
  if (ended) gesture_ = Gesture::none;
}

void FigureView::draw_handles(Ui& ui, ImDrawList& draw, ImVec2 origin, figure::Point pointer) const {
  const figure::Figure& figure = key_.outcome->result.figure;
  const std::optional<HandleId> near =
      gesture_ == Gesture::handle ? grabbed_ : handle_at(figure, scene_, pointer);
  for (std::size_t i = 0; i < std::min(figure.panels.size(), scene_.panels.size()); ++i) {
    for (std::size_t k = 0; k < figure.panels[i].handles.size(); ++k) {
      const figure::Handle& handle = figure.panels[i].handles[k];
      if (!in_sight(scene_.panels[i], handle)) continue;
      const ImVec2 at = on_screen(origin, scene_.panels[i].to_page(handle.x, handle.y), ui.scale);
      const bool lit = near && *near == HandleId{static_cast<int>(i), static_cast<int>(k)};
      if (lit) draw.AddCircleFilled(at, ui.px(11), color(ui.tokens.accent, 0.22));
      draw.AddCircleFilled(at, ui.px(6), color(ui.tokens.ground));
      draw.AddCircle(at, ui.px(6), color(ui.tokens.accent), 0, 1.8f * ui.scale);
      ui.items.mark("handle:" + handle.parameter, {at.x - 2, at.y - 2}, {at.x + 2, at.y + 2});
      if (!lit) continue;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (gesture_ == Gesture::none && !handle.hint.empty()) help(ui, true, handle.hint);
    }
  }
}

void FigureView::draw_read_out(const App& app, Ui& ui, ImDrawList& draw, ImVec2 origin,
                               figure::Point pointer) const {
  const figure::Figure& figure = key_.outcome->result.figure;
  if (handle_at(figure, scene_, pointer)) return;
  const int panel = panel_at(scene_, pointer);
  if (panel < 0 || static_cast<std::size_t>(panel) >= figure.panels.size()) return;
  for (const figure::LegendBox& entry : scene_.legend)
    if (entry.box.contains(pointer)) return ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const auto i = static_cast<std::size_t>(panel);
  const figure::PanelFrame& frame = scene_.panels[i];
  const auto readout = read_out(figure.panels[i], frame, panel, app.view().hidden, pointer);
  if (readout) draw_read_out_box(ui, draw, origin, *readout, frame.plot, pointer);
}

}  // namespace orrery::gui
