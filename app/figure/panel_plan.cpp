#include "app/figure/panel_plan.h"

#include <algorithm>
#include <cmath>

#include "app/figure/color_bar.h"
#include "app/figure/color_scales.h"
#include "app/figure/data_range.h"
#include "app/figure/path.h"
#include "app/figure/stage.h"

namespace orrery::figure {

namespace {

constexpr double page_slack =
    0.25;                          // what labels may reach beyond their margins: the page keeps a little more
constexpr double title_gap = 0.5;  // between a panel's title and what is below it, text sizes
constexpr double title_reach = 1.5;   // of the title of an upright axis beyond its plot, text sizes
constexpr double least_title = 0.88;  // of its size, to stay on one line

/// Only linear scales have units to be equal.
bool equal_units(const Panel& panel) {
  return panel.equal_aspect && panel.x.scale.kind() == Scale::Kind::linear &&
         panel.y.scale.kind() == Scale::Kind::linear;
}

bool has_heatmap(const Panel& panel) {
  return std::any_of(panel.marks.begin(), panel.marks.end(),
                     [](const Mark& m) { return std::holds_alternative<Heatmap>(m); });
}

bool seeks_place(const Mark& mark) {
  return std::holds_alternative<Annotation>(mark) || std::holds_alternative<Inset>(mark);
}

/// What was drawn from `first` on, as boxes: grid lines, which words had better not stand on.
std::vector<Rect> lines_since(const Scene& scene, std::size_t first) {
  std::vector<Rect> boxes;
  for (std::size_t i = first; i < scene.primitives.size(); ++i)
    if (const auto* line = std::get_if<Polyline>(&scene.primitives[i])) {
      const Point a = line->points.front(), b = line->points.back();
      boxes.push_back({std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y)});
    }
  return boxes;
}

}  // namespace

PanelPlan::PanelPlan(const Panel& panel, int index, const LayoutOptions& options, const Theme& theme,
                     const TextMetrics& metrics, Detail detail)
    : panel_(panel),
      index_(index),
      options_(options),
      theme_(theme),
      metrics_(metrics),
      detail_(detail),
      x_(panel.x),
      y_(panel.y),
      full_x_(x_range(panel)),
      full_y_(y_range(panel)),
      title_style_{Voice::words, theme.title_size, true},
      legend_place_(panel.legend) {
  if (detail != Detail::all) x_.label = y_.label = "";
  if (detail == Detail::bare) x_.visible = y_.visible = false;
  frame_.x = full_x_;
  frame_.y = full_y_;
  frame_.x_scale = panel.x.scale;
  frame_.y_scale = panel.y.scale;
  frame_.x_reversed = panel.x.reversed;
  frame_.y_reversed = panel.y.reversed;
  if (std::size_t(index) < options.view.panels.size()) {
    const View::PanelView& view = options.view.panels[std::size_t(index)];
    if (view.x && showable(*view.x, frame_.x_scale)) frame_.x = frame_.x_scale.clamp(*view.x);
    if (view.y && showable(*view.y, frame_.y_scale)) frame_.y = frame_.y_scale.clamp(*view.y);
  }
  if (panel.legend != LegendPlace::none && detail != Detail::bare)
    legend_ = legend_entries(panel, index, options.view, theme, metrics);
  if (legend_place_ == LegendPlace::best && has_heatmap(panel)) legend_place_ = LegendPlace::above;
  colors_.resize(panel.marks.size());
  for (std::size_t i = 0; i < panel.marks.size(); ++i)
    if (const ColorScale* scale = color_scale(panel.marks[i])) {
      colors_[i] = value_colors(panel.marks[i], std::nullopt, theme);
      if (wants_bar(panel.marks[i]) && bar_ < 0 && detail != Detail::bare) {
        bar_ = int(i);
        bar_axis_ = bar_axis(*scale);
        if (detail != Detail::all) bar_axis_.label = "";
      }
    }
}

/// On one line, a little smaller if need be; else in as many as three.
void PanelPlan::choose_title() {
  title_.clear();
  title_style_.size = theme_.title_size;
  if (panel_.title.empty() || detail_ != Detail::all) return;
  const double room = frame_.plot.w, width = metrics_.measure(panel_.title, title_style_).width;
  if (width * least_title <= room) {
    if (width > room) title_style_ = fit(panel_.title, title_style_, room, metrics_).style;
    title_ = {panel_.title};
    return;
  }
  title_ = wrap(panel_.title, title_style_, room, metrics_);
  const bool fits = std::all_of(title_.begin(), title_.end(), [&](const std::string& line) {
    return metrics_.measure(line, title_style_).width <= room;
  });
  if (!fits || title_.size() > 3) title_.clear();
}

double PanelPlan::title_step() const {
  return line_height("Ag", {Voice::words, theme_.title_size, title_style_.bold}, metrics_);
}

double PanelPlan::title_height() const {
  return title_.empty() ? 0 : double(title_.size()) * title_step() + title_gap * theme_.text_size;
}

/// The largest box of the right shape in the middle of the room.
Rect PanelPlan::plot_in(const Rect& room) const {
  if (!equal_units(panel_) || room.w <= 0 || room.h <= 0) return room;
  const double shape = full_x_.length() / full_y_.length();
  if (!(shape > 1e-3 && shape < 1e3)) return room;
  const double w = std::min(room.w, room.h * shape), h = w / shape;
  return {room.x + (room.w - w) / 2, room.y + (room.h - h) / 2, w, h};
}

/// A zoom keeps one unit of x as long as one of y: the shorter range gives way.
void PanelPlan::equalise_view() {
  const Rect& plot = frame_.plot;
  if (!equal_units(panel_) || plot.w <= 0 || plot.h <= 0) return;
  if (frame_.x == full_x_ && frame_.y == full_y_) return;
  const double unit = std::max(frame_.x.length() / plot.w, frame_.y.length() / plot.h);
  const auto widen = [](Range r, double length) {
    const double middle = (r.lo + r.hi) / 2;
    return Range{middle - length / 2, middle + length / 2};
  };
  frame_.x = widen(frame_.x, unit * plot.w);
  frame_.y = widen(frame_.y, unit * plot.h);
}

Margins PanelPlan::measure(const Rect& room) {
  frame_.plot = plot_in(room);
  equalise_view();
  const Rect& plot = frame_.plot;
  x_guide_ = make_guide(x_, frame_.x, Side::bottom, plot.w, plot.w, theme_, metrics_);
  // A title beside the plot may reach a little beyond it, as far as the margins of the last pass go.
  const double beyond = std::min({margins_.top, margins_.bottom, title_reach * theme_.text_size});
  y_guide_ = make_guide(y_, frame_.y, Side::left, plot.h, plot.h + 2 * beyond, theme_, metrics_);
  const Overhang across = overhang(x_guide_, x_, frame_.x, Side::bottom, plot.w, theme_, metrics_);
  const Overhang up = overhang(y_guide_, y_, frame_.y, Side::left, plot.h, theme_, metrics_);
  margins_.left = std::max(thickness(y_guide_, y_, Side::left, theme_, metrics_), across.low);
  margins_.bottom = std::max(thickness(x_guide_, x_, Side::bottom, theme_, metrics_), up.low);
  margins_.right = across.high;
  margins_.top = up.high;
  if (bar_ >= 0) {
    const Range range = colors_[std::size_t(bar_)]->range();
    bar_guide_ = make_guide(bar_axis_, range, Side::right, plot.h, plot.h + 2 * beyond, theme_, metrics_);
    const Overhang ends = overhang(bar_guide_, bar_axis_, range, Side::right, plot.h, theme_, metrics_);
    margins_.right = std::max(margins_.right, bar_thickness(bar_guide_, bar_axis_, theme_, metrics_));
    margins_.top = std::max(margins_.top, ends.high);
    margins_.bottom = std::max(margins_.bottom, ends.low);
  }
  choose_title();
  legend_width_ = plot.w;
  legend_height_ =
      legend_place_ == LegendPlace::above ? legend_above_height(legend_, plot.w, theme_, metrics_) : 0;
  margins_.top += title_height() + legend_height_;
  return margins_;
}

void PanelPlan::settle(const Rect& room) {
  frame_.plot = plot_in(room);
  equalise_view();
  const auto tidy = [&](AxisGuide& guide, const Axis& axis, Range range, Side side, double length,
                        Overhang space) {
    drop_overlapping(guide, axis, range, side, length, theme_, metrics_);
    drop_overhanging(guide, axis, range, side, length, space, theme_, metrics_);
  };
  const double slack = page_slack * theme_.text_size,
               above = margins_.top - title_height() - legend_height_ + slack;
  tidy(x_guide_, x_, frame_.x, Side::bottom, frame_.plot.w, {margins_.left + slack, margins_.right + slack});
  tidy(y_guide_, y_, frame_.y, Side::left, frame_.plot.h, {margins_.bottom + slack, above});
  if (bar_ >= 0)
    tidy(bar_guide_, bar_axis_, colors_[std::size_t(bar_)]->range(), Side::right, frame_.plot.h,
         {margins_.bottom + slack, above});
  title_top_ = frame_.plot.y - margins_.top;
}

void PanelPlan::draw_marks(Scene& scene, const std::vector<Rect>& grid) const {
  std::vector<Rect> words;
  const Stage stage{frame_,
                    theme_,
                    metrics_,
                    options_.pixels_per_point,
                    scene,
                    words,
                    grid,
                    scene.primitives.size(),
                    x_.visible || y_.visible};
  for (const bool seeking : {false, true})  // what seeks a free place comes when everything else has its own
    for (std::size_t i = 0; i < panel_.marks.size(); ++i) {
      const Mark& mark = panel_.marks[i];
      if (seeks_place(mark) != seeking || options_.view.hidden.contains({index_, int(i)})) continue;
      std::visit(
          [&](const auto& m) {
            if constexpr (requires { m.colors; })
              figure::draw(m, *colors_[i], stage);
            else
              figure::draw(m, stage);
          },
          mark);
    }
}

bool PanelPlan::draw_legend(Scene& scene, std::size_t first, const std::vector<Rect>& grid) const {
  if (legend_.empty()) return true;
  const Rect& plot = frame_.plot;
  if (legend_place_ != LegendPlace::above)
    return draw_legend_inside(legend_, panel_, index_, plot, legend_place_, first, grid, theme_, metrics_,
                              scene) ||
           legend_place_ != LegendPlace::best;
  const double y = plot.y - margins_.top + title_height();
  draw_legend_above(legend_, panel_, index_, {plot.x, y, legend_width_, legend_height_}, theme_, metrics_,
                    scene);
  return true;
}

bool PanelPlan::draw(Scene& scene) const {
  const Rect& plot = frame_.plot;
  if (plot.w <= 0 || plot.h <= 0) return true;
  const std::size_t begin = scene.primitives.size();
  draw_grid_lines(x_guide_, x_, frame_, Side::bottom, theme_, scene);
  draw_grid_lines(y_guide_, y_, frame_, Side::left, theme_, scene);
  const std::vector<Rect> grid = lines_since(scene, begin);
  const std::size_t first = scene.primitives.size();
  draw_marks(scene, grid);
  const bool legend_has_room = draw_legend(scene, first, grid);
  if (panel_.frame) scene.primitives.emplace_back(outline(plot, theme_.axis, theme_.axis_width));
  draw_axis(x_guide_, x_, plot, frame_.x, Side::bottom, true, theme_, metrics_, scene);
  const bool line = theme_.value_axis_line || !y_.grid || panel_.frame;
  draw_axis(y_guide_, y_, plot, frame_.y, Side::left, line, theme_, metrics_, scene);
  if (bar_ >= 0)
    draw_color_bar(bar_guide_, bar_axis_, *colors_[std::size_t(bar_)], plot, theme_, metrics_, scene);
  for (std::size_t i = 0; i < title_.size(); ++i)
    scene.primitives.emplace_back(Label{{plot.x, title_top_ + double(i) * title_step()},
                                        title_[i],
                                        title_style_,
                                        theme_.text,
                                        HAlign::left,
                                        VAlign::top,
                                        true});
  return legend_has_room;
}

}  // namespace orrery::figure
