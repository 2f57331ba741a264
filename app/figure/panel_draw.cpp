// A panel onto the page: grid, marks, legend, axes, title, in this order.
#include <algorithm>
#include <cmath>

#include "app/figure/color_bar.h"
#include "app/figure/mark_facts.h"
#include "app/figure/panel_plan.h"
#include "app/figure/path.h"
#include "app/figure/stage.h"

namespace orrery::figure {

namespace {

bool seeks_place(const Mark& mark) {
  return facts(mark).nature == Nature::free_words;
}

/// A rule whose words have to find room beside it.
bool speaks(const Mark& mark) {
  const MarkFacts own = facts(mark);
  return own.nature == Nature::guide && !own.text->empty();
}

/// A stretch of the plot with a ground of its own: lines to read values by go on over it.
bool is_ground(const Mark& mark) {
  const Rule* rule = std::get_if<Rule>(&mark);
  return rule && rule->to && rule->text.empty();
}

/// What words had better not stand on.
bool is_data(const Mark& mark) {
  const Nature nature = facts(mark).nature;
  return nature == Nature::data || nature == Nature::words;
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

void PanelPlan::draw_mark(std::size_t i, const Stage& stage) const {
  const PanelFrame frame = mark_frame(panel_, int(i), frame_);
  const Stage own = stage.on(frame, digest_.marks[i]);
  std::visit(
      [&](const auto& m) {
        if constexpr (requires { m.colors; })
          figure::draw(m, *colors_[i], own);
        else
          figure::draw(m, own);
      },
      panel_.marks[i]);
}

void PanelPlan::leave_out_line(std::size_t mark, const Stage& stage) const {
  Note note = std::get<Note>(panel_.marks[mark]);
  stage.scene.left_out.push_back(note.text);
  if (table_.dots != mark) return;
  note.text = "…";
  figure::draw(note, stage);
}

Stage PanelPlan::stage_on(Scene& scene, Lettering& lettering, const std::vector<Rect>& grid) const {
  return {frame_,
          theme_,
          metrics_,
          options_.pixels_per_point,
          scene,
          lettering,
          grid,
          scene.primitives.size(),
          x_.visible || y_.visible};
}

void PanelPlan::draw_grounds(Scene& scene, std::vector<PrimitiveSpan>& spans) const {
  Lettering nothing;
  const std::vector<Rect> no_grid;
  const Stage stage = stage_on(scene, nothing, no_grid);
  for (std::size_t i = 0; i < panel_.marks.size(); ++i) {
    if (!is_ground(panel_.marks[i]) || options_.view.hidden.contains({index_, int(i)})) continue;
    spans[i].first = scene.primitives.size();
    draw_mark(i, stage);
    spans[i].last = scene.primitives.size();
  }
}

void PanelPlan::draw_marks(Scene& scene, const std::vector<Rect>& grid,
                           std::vector<PrimitiveSpan>& spans) const {
  Lettering lettering;
  Scene data;
  Stage stage = stage_on(scene, lettering, grid);
  stage.most_cells = options_.most_cells;
  const NoteScales own = note_scales();
  stage.note_scale = std::min(own.crowded, note_scales_.crowded);
  stage.room_scale = std::min(own.roomed, note_scales_.roomed);
  stage.cell_numbers = cell_numbers_;
  const auto shown = [&](std::size_t i) { return !options_.view.hidden.contains({index_, int(i)}); };
  if (std::ranges::any_of(panel_.marks, speaks)) {
    Lettering nothing;
    data.width = scene.width;
    data.height = scene.height;
    const Stage rehearsal = stage_on(data, nothing, grid);
    for (std::size_t i = 0; i < panel_.marks.size(); ++i)
      if (shown(i) && is_data(panel_.marks[i])) draw_mark(i, rehearsal);
    stage.data = &data;
  }
  for (std::size_t i = 0; i < panel_.marks.size(); ++i)
    if (const Rule* rule = std::get_if<Rule>(&panel_.marks[i]); rule && shown(i))
      if (const auto line = line_of(*rule, stage.on(mark_frame(panel_, int(i), frame_), digest_.marks[i])))
        lettering.rules.push_back(*line);
  const auto over = [&](std::size_t i) {
    const Rule* rule = std::get_if<Rule>(&panel_.marks[i]);
    if (!rule) return false;
    const PanelFrame frame = mark_frame(panel_, int(i), frame_);
    return lies_on_data(*rule, stage.on(frame, digest_.marks[i]));
  };
  const auto put = [&](std::size_t i) {
    spans[i].first = scene.primitives.size();
    if (table_.gone.contains(i))
      leave_out_line(i, stage);
    else
      draw_mark(i, stage);
    spans[i].last = scene.primitives.size();
  };
  std::vector<std::size_t> over_data, seeking;  // they come when everything else has its place
  for (std::size_t i = 0; i < panel_.marks.size(); ++i) {
    if (!shown(i) || is_ground(panel_.marks[i])) continue;
    if (seeks_place(panel_.marks[i]))
      seeking.push_back(i);
    else if (over(i))
      over_data.push_back(i);
    else
      put(i);
  }
  for (const std::size_t i : seeking)
    if (const auto* note = std::get_if<Annotation>(&panel_.marks[i]))
      lettering.named.push_back(place(mark_frame(panel_, int(i), frame_), note->x, note->y));
  for (const std::size_t i : over_data) put(i);
  for (const std::size_t i : seeking) put(i);
}

bool PanelPlan::draw_legend(Scene& scene, std::size_t first, const std::vector<Rect>& grid) const {
  if (legend_.empty()) return true;
  if (lost_ends_) return false;
  const Rect& plot = frame_.plot;
  const Legend legend{legend_, panel_, index_, theme_, metrics_};
  if (ends_) {
    draw_line_ends(legend, *ends_, plot.x + plot.w, scene);
    return true;
  }
  if (legend_place_ == LegendPlace::right) {
    const double x =
        plot.x + plot.w + std::max(right_thickness_, bar_ >= 0 ? right_thickness_ + bar_thickness_ : 0);
    draw_legend_beside(legend, {x, plot.y, legend_width_, plot.h}, scene);
    return true;
  }
  if (legend_place_ != LegendPlace::above)
    return draw_legend_inside(legend, {plot, legend_place_, first, grid}, scene);
  const double x = legend_span_ ? legend_span_->left : plot.x,
               y = plot.y - margins_.top + title_height() + legend_drop_;
  draw_legend_above(legend, {x, y, legend_width_, legend_height_}, scene);
  return true;
}

bool PanelPlan::draw(Scene& scene) const {
  const Rect& plot = frame_.plot;
  scene.records.emplace_back();
  if (plot.w <= 0 || plot.h <= 0) {
    leave_out_all(scene);
    return true;
  }
  const std::size_t named = scene.legend.size();
  PanelRecord record = this->record();
  record.marks.resize(panel_.marks.size());
  draw_grounds(scene, record.marks);
  const std::size_t begin = scene.primitives.size();
  const AxisAt below{x_guide_, x_, plot, Side::bottom}, left{y_guide_, y_, plot, Side::left};
  std::vector<AxisAt> second;
  if (top_) second.push_back({top_->guide, top_->axis, plot, Side::top});
  if (right_) second.push_back({right_->guide, right_->axis, plot, Side::right});
  draw_grid_lines(below, theme_, scene);
  draw_grid_lines(left, theme_, scene);
  for (const AxisAt& axis : second) draw_grid_lines(axis, theme_, scene);
  const std::vector<Rect> grid = lines_since(scene, begin);
  const std::size_t first = scene.primitives.size();
  draw_marks(scene, grid, record.marks);
  record.legend.first = scene.primitives.size();
  const bool legend_has_room = draw_legend(scene, first, grid);
  record.legend.last = scene.primitives.size();
  if (panel_.frame) scene.primitives.emplace_back(outline(plot, theme_.axis, theme_.axis_width));
  draw_axis(below, true, theme_, metrics_, scene);
  draw_axis(left, theme_.value_axis_line || !y_.grid || panel_.frame, theme_, metrics_, scene);
  for (const AxisAt& axis : second) draw_axis(axis, true, theme_, metrics_, scene);
  if (record.bar) {
    record.bar->drawn.first = scene.primitives.size();
    const Rect span = bar_span();
    draw_color_bar({.guide = bar_guide_,
                    .axis = bar_axis_,
                    .colors = *colors_[std::size_t(bar_)],
                    .x = span.x + span.w + right_thickness_ + bar_gap(theme_),
                    .down = {span.y, span.y + span.h}},
                   theme_, metrics_, scene);
    record.bar->drawn.last = scene.primitives.size();
  }
  for (std::size_t i = 0; i < title_.size(); ++i)
    scene.primitives.emplace_back(Label{{plot.x, title_top_ + double(i) * title_step()},
                                        title_[i],
                                        title_style_,
                                        theme_.text,
                                        HAlign::left,
                                        VAlign::top,
                                        true});
  scene.records.back() = std::move(record);
  say_left_out(named, scene);
  return legend_has_room;
}

}  // namespace orrery::figure
