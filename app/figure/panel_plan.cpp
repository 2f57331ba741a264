#include "app/figure/panel_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figure/color_bar.h"
#include "app/figure/color_scales.h"
#include "app/figure/data_range.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr double title_reach = 1.5;  // of the title of an upright axis beyond its plot, text sizes

/// Only linear scales have units to be equal.
bool equal_units(const Panel& panel, const PanelFrame& frame) {
  return panel.equal_aspect && frame.x_scale.kind() == Scale::Kind::linear &&
         frame.y_scale.kind() == Scale::Kind::linear;
}

bool has_heatmap(const Panel& panel) {
  return std::any_of(panel.marks.begin(), panel.marks.end(),
                     [](const Mark& m) { return std::holds_alternative<Heatmap>(m); });
}

}  // namespace

PanelPlan::PanelPlan(const Panel& panel, const PanelDigest& digest, int index, const PanelAxes& axes,
                     const Sheet& sheet, Detail detail)
    : panel_(panel),
      digest_(digest),
      index_(index),
      options_(sheet.options),
      theme_(sheet.theme),
      metrics_(sheet.metrics),
      detail_(detail),
      x_label_(axes.x.label),
      y_label_(axes.y.label),
      x_(axes.x),
      y_(axes.y),
      title_style_{Voice::words, theme_.title_size, true},
      legend_place_(panel.legend) {
  if (detail >= Detail::numbers) x_.label = y_.label = "";
  if (detail == Detail::bare) x_.visible = y_.visible = false;
  frame_.x = frame_.whole_x = *axes.x.range;
  frame_.y = frame_.whole_y = *axes.y.range;
  if (panel.top && !panel.top->map) frame_.whole_top = second_range(panel, digest, *panel.top, true);
  if (panel.right && !panel.right->map) frame_.whole_right = second_range(panel, digest, *panel.right, false);
  frame_.x_scale = axes.x.scale;
  frame_.y_scale = axes.y.scale;
  frame_.x_reversed = panel.x.reversed;
  frame_.y_reversed = panel.y.reversed;
  if (std::size_t(index) < options_.view.panels.size()) {
    const View::PanelView& view = options_.view.panels[std::size_t(index)];
    if (view.x && showable(*view.x, frame_.x_scale)) frame_.x = frame_.x_scale.clamp(*view.x);
    if (view.y && showable(*view.y, frame_.y_scale)) frame_.y = frame_.y_scale.clamp(*view.y);
  }
  if (panel.legend != LegendPlace::none)
    names_ = legend_entries(panel, index, options_.view, theme_, metrics_);
  if (detail != Detail::bare) legend_ = names_;
  if (legend_place_ == LegendPlace::best && has_heatmap(panel)) legend_place_ = LegendPlace::above;
  may_name_ends_ = legend_place_ == LegendPlace::best || legend_place_ == LegendPlace::above;
  choose_colors(sheet.groups);
}

void PanelPlan::choose_colors(const std::map<int, ColorGroup>& groups) {
  colors_.resize(panel_.marks.size());
  for (std::size_t i = 0; i < panel_.marks.size(); ++i) {
    const ColorScale* scale = color_scale(panel_.marks[i]);
    if (!scale) continue;
    const auto group = groups.find(scale->group);
    const bool shared = group != groups.end();
    colors_[i] = value_colors(panel_.marks[i], shared ? std::optional(group->second.range) : std::nullopt,
                              theme_, digest_.marks[i].values);
    // A shared bar is the business of the panel it stands beside, even if that shows lines which need none.
    const bool here =
        shared ? group->second.bar == index_ && group->second.wanted : wants_bar(panel_.marks[i]);
    if (here && bar_ < 0 && bar_label_.empty()) bar_label_ = scale->label;
    if (!here || bar_ >= 0 || detail_ == Detail::bare) continue;
    bar_ = int(i);
    bar_group_ = shared ? scale->group : 0;
    bar_axis_ = bar_axis(*scale);
    if (detail_ >= Detail::numbers) bar_axis_.label = "";
  }
}

/// Blocks have other values at every size: their colours are those of the pixels.
void PanelPlan::follow_blocks() {
  for (std::size_t i = 0; i < panel_.marks.size(); ++i) {
    const auto* map = std::get_if<Heatmap>(&panel_.marks[i]);
    if (!map || map->colors.range || map->colors.group != 0) continue;
    if (const auto range = blocks_range(*map, frame_, options_.pixels_per_point))
      colors_[i] = value_colors(panel_.marks[i], std::nullopt, theme_, *range);
  }
}

double PanelPlan::shape() const {
  if (!equal_units(panel_, frame_)) return 0;
  const double shape = frame_.whole_x.length() / frame_.whole_y.length();
  return shape > 1e-3 && shape < 1e3 ? shape : 0;
}

bool PanelPlan::keeps_ends(const Rect& room) {
  if (!ends_) return true;
  frame_.plot = plot_in(room);
  return names_at_ends().has_value();
}

Rect PanelPlan::plot_in(const Rect& room) const {
  const double kept = shape();
  if (kept == 0 || room.w <= 0 || room.h <= 0) return room;
  const double w = std::min(room.w, room.h * kept), h = w / kept;
  return {room.x + (room.w - w) / 2, room.y + (room.h - h) / 2, w, h};
}

/// A zoom keeps one unit of x as long as one of y: the shorter range gives way.
void PanelPlan::equalise_view() {
  const Rect& plot = frame_.plot;
  if (!equal_units(panel_, frame_) || plot.w <= 0 || plot.h <= 0) return;
  if (frame_.x == frame_.whole_x && frame_.y == frame_.whole_y) return;
  const double unit = std::max(frame_.x.length() / plot.w, frame_.y.length() / plot.h);
  const auto widen = [](Range r, double length) {
    const double middle = (r.lo + r.hi) / 2;
    return Range{middle - length / 2, middle + length / 2};
  };
  frame_.x = widen(frame_.x, unit * plot.w);
  frame_.y = widen(frame_.y, unit * plot.h);
}

/// Above and right of the plot; their thickness joins the margins.
void PanelPlan::measure_second_axes(double beyond) {
  top_.reset();
  right_.reset();
  right_thickness_ = 0;
  const auto prepared = [&](const SecondAxis& second, bool along_x) {
    std::optional<SecondGuide> out;
    const auto scale = second_scale(second, along_x, frame_);
    if (!scale || detail_ == Detail::bare) return out;
    out.emplace(SecondGuide{second.axis, *scale, {}});
    if (detail_ >= Detail::numbers) out->axis.label.clear();
    const Side side = along_x ? Side::top : Side::right;
    const double length = along_x ? frame_.plot.w : frame_.plot.h;
    out->guide = make_guide({.axis = out->axis,
                             .range = scale->range,
                             .share = scale->share,
                             .side = side,
                             .length = length,
                             .title_room = along_x ? length : length + 2 * beyond},
                            theme_, metrics_);
    return out;
  };
  if (panel_.top && (top_ = prepared(*panel_.top, true))) {
    const Overhang ends = overhang(top_->guide, Side::top, frame_.plot.w, metrics_);
    margins_.left = std::max(margins_.left, ends.low);
    margins_.right = std::max(margins_.right, ends.high);
    margins_.top = std::max(margins_.top, thickness(top_->guide, top_->axis, Side::top, theme_, metrics_));
  }
  if (panel_.right && (right_ = prepared(*panel_.right, false))) {
    const Overhang ends = overhang(right_->guide, Side::right, frame_.plot.h, metrics_);
    right_thickness_ = thickness(right_->guide, right_->axis, Side::right, theme_, metrics_);
    margins_.right = std::max(margins_.right, right_thickness_);
    margins_.top = std::max(margins_.top, ends.high);
    margins_.bottom = std::max(margins_.bottom, ends.low);
  }
}

/// Where pixels have means the bar says so, or, where it is too low for so many words, the panel's title.
void PanelPlan::say_averaged(double room) {
  bar_axis_.label = bar_label_;
  const auto* map = std::get_if<Heatmap>(&panel_.marks[std::size_t(bar_)]);
  if (!map || !averages(*map, frame_, options_.pixels_per_point)) return;
  const std::string& what = map->shows.empty() ? map->averaged : map->shows;
  const std::string both = bar_label_ + (bar_label_.empty() ? "" : ", ") + what;
  const bool fits = !fit(both, {Voice::words, theme_.label_size, false}, room, metrics_).text.empty();
  if (fits || panel_.title.empty())
    bar_axis_.label = both;
  else
    title_words_ += ", " + what;
}

/// Names at the ends of their lines, where the legend may choose its place and nothing else stands there.
std::optional<LineEnds> PanelPlan::names_at_ends() const {
  if (!may_name_ends_ || bar_ >= 0 || right_) return std::nullopt;
  return line_ends(legend_, panel_, frame_, theme_, metrics_);
}

/// What the marks cover that follow the x axis; nothing where none has a place on it.
std::optional<Range> PanelPlan::data_along_x() const {
  Cover cover;
  for (std::size_t i = 0; i < panel_.marks.size(); ++i)
    if (!panel_.top || std::ranges::find(panel_.top->marks, int(i)) == panel_.top->marks.end())
      cover.add(digest_.marks[i].x.all);
  return cover.empty() ? std::nullopt : std::optional(Range{cover.lo, cover.hi});
}

Margins PanelPlan::measure(const Rect& room) {
  frame_.plot = plot_in(room);
  equalise_view();
  follow_blocks();
  title_words_ = panel_.title;
  const Rect& plot = frame_.plot;
  const auto guide = [this](const Axis& axis, Range range, Side side, double length, double title_room) {
    return make_guide({axis, range, share_of(axis, range), side, length, title_room}, theme_, metrics_);
  };
  x_guide_ = make_guide({.axis = x_,
                         .range = frame_.x,
                         .share = share_of(x_, frame_.x),
                         .side = Side::bottom,
                         .length = plot.w,
                         .title_room = plot.w,
                         .data = data_along_x()},
                        theme_, metrics_);
  // A title beside the plot may reach a little beyond it, as far as the margins of the last pass go.
  const double beyond =
      below_legend_ ? 0 : std::min({margins_.top, margins_.bottom, title_reach * theme_.text_size});
  y_guide_ = guide(y_, frame_.y, Side::left, plot.h, plot.h + 2 * beyond);
  const Overhang across = overhang(x_guide_, Side::bottom, plot.w, metrics_);
  const Overhang up = overhang(y_guide_, Side::left, plot.h, metrics_);
  margins_.left = std::max(thickness(y_guide_, y_, Side::left, theme_, metrics_), across.low);
  margins_.bottom = std::max(thickness(x_guide_, x_, Side::bottom, theme_, metrics_), up.low);
  margins_.right = across.high;
  margins_.top = up.high;
  measure_second_axes(beyond);
  ends_ = names_at_ends();
  if (ends_) margins_.right = std::max(margins_.right, ends_->width);
  if (bar_ >= 0) {
    const double length = bar_span().h;
    if (detail_ < Detail::numbers) say_averaged(length + 2 * beyond);
    bar_guide_ =
        guide(bar_axis_, colors_[std::size_t(bar_)]->range(), Side::right, length, length + 2 * beyond);
    const Overhang ends = overhang(bar_guide_, Side::right, length, metrics_);
    bar_thickness_ = bar_gap(theme_) + bar_thickness(bar_guide_, bar_axis_, theme_, metrics_);
    margins_.right = std::max(margins_.right, right_thickness_ + bar_thickness_);
    margins_.top = std::max(margins_.top, ends.high);
    margins_.bottom = std::max(margins_.bottom, ends.low);
  }
  heading_margin_ = margins_.right + heading_reach_;
  heading_width_ = heading_width(room);
  if (!holds_title_ || chosen_words_ != title_words_ || !title_keeps_bounds()) choose_title();
  legend_width_ = legend_span_ ? legend_span_->right - legend_span_->left : heading_width_;
  legend_height_ = legend_drop_ = 0;
  if (legend_place_ == LegendPlace::above && !ends_) measure_legend_above();
  if (legend_place_ == LegendPlace::right) {
    legend_width_ = legend_beside_width(legend_, theme_);
    margins_.right += legend_width_;
  }
  if (legend_span_ && legend_height_ > 0) legend_drop_ = std::max(0.0, legend_span_->titles - title_height());
  margins_.top += title_height() + legend_drop_ + legend_height_;
  margins_ = larger(margins_, least_margins_);
  return margins_;
}

void PanelPlan::settle(const Rect& room) {
  frame_.plot = plot_in(room);
  if (legend_span_)
    legend_width_ = legend_span_->right - legend_span_->left;
  else if (legend_place_ == LegendPlace::above)
    narrow_legend(most_heading_width(room));
  equalise_view();
  const auto tidy = [&](AxisGuide& guide, Side side, double length, Overhang space) {
    drop_overlapping(guide, side, length, theme_, metrics_);
    drop_overhanging(guide, side, length, space, metrics_);
  };
  const double slack = page_slack * theme_.text_size,
               above = margins_.top - title_height() - legend_drop_ - legend_height_ + slack;
  const Overhang level{margins_.left + slack, margins_.right + slack},
      upright{margins_.bottom + slack, above};
  tidy(x_guide_, Side::bottom, frame_.plot.w, level);
  tidy(y_guide_, Side::left, frame_.plot.h, upright);
  if (top_) tidy(top_->guide, Side::top, frame_.plot.w, level);
  if (right_) tidy(right_->guide, Side::right, frame_.plot.h, upright);
  // The ends of a shared bar may lie beside other panels, whose margins are not ours to use.
  const Rect span = bar_span();
  const bool beside_others =
      std::abs(span.y - frame_.plot.y) > slack || std::abs(span.h - frame_.plot.h) > slack;
  if (bar_ >= 0) tidy(bar_guide_, Side::right, span.h, beside_others ? Overhang{slack, slack} : upright);
  keep_titles_within(level, upright);
  if (ends_) {  // the plot has another height perhaps, and then nothing was left for a legend
    ends_ = names_at_ends();
    lost_ends_ = !ends_;
  }
  title_top_ = frame_.plot.y - margins_.top;
  show_first_lines();
}

/// The plot may have become smaller since the titles of its axes were chosen. One on the left has nothing above it; that of a
/// bar may have the panel's own title, or a legend.
void PanelPlan::keep_titles_within(const Overhang& level, const Overhang& below_heading) {
  const Rect& plot = frame_.plot;
  const Overhang beside{below_heading.low, margins_.top + page_slack * theme_.text_size};
  keep_title_within(x_guide_, plot.w, level, theme_, metrics_);
  keep_title_within(y_guide_, plot.h, below_legend_ ? below_heading : beside, theme_, metrics_);
  if (top_) keep_title_within(top_->guide, plot.w, level, theme_, metrics_);
  if (right_) keep_title_within(right_->guide, plot.h, below_heading, theme_, metrics_);
  if (bar_ < 0 || bar_guide_.title.text.empty()) return;
  const double begin = plot.w + right_thickness_ + bar_thickness_ -
                       line_height(bar_guide_.title.text, bar_guide_.title.style, metrics_);
  const auto reaches = [&](const std::string& line) {
    return metrics_.measure(line, title_style_).width > begin;
  };
  const bool under_heading = legend_height_ > 0 || std::ranges::any_of(title_, reaches);
  keep_title_within(bar_guide_, bar_span().h, under_heading ? below_heading : beside, theme_, metrics_);
}

/// A table too low for all of its lines shows the first ones; who has moved it sees what he moved it to.
void PanelPlan::show_first_lines() {
  if (frame_.y != frame_.whole_y || shape() > 0) return;
  table_ = cut_table(panel_, frame_, theme_, metrics_);
  if (table_.stretch == 1) return;
  const double shown = frame_.y.length() / table_.stretch;
  if (frame_.y_reversed)
    frame_.y.hi = frame_.y.lo + shown;
  else
    frame_.y.lo = frame_.y.hi - shown;
}

}  // namespace orrery::figure
