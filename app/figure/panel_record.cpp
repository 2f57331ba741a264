// What stands around the marks of a panel, in the words of the figure.
#include "app/figure/panel_plan.h"

namespace orrery::figure {

namespace {

AxisRecord axis_record(const AxisGuide& guide, const Axis& axis, Range range, bool vertical, bool opposite) {
  AxisRecord record;
  record.vertical = vertical;
  record.opposite = opposite;
  record.scale = axis.scale;
  record.range = range;
  record.reversed = axis.reversed;
  record.grid = axis.grid;
  for (int i = 0; i < guide.ticks.count; ++i) record.ticks.push_back(guide.ticks.value(i));
  record.minor = guide.minor_values;
  record.labels = guide.labels;
  record.turned = guide.turned;
  record.title = guide.title.text;
  return record;
}

/// A second axis. One with a map is said in the values of the first: its ticks stand where the map has their labels.
AxisRecord second_record(const AxisGuide& guide, const SecondAxis& second, const Axis& own, Range range,
                         const Axis& first, Range shown, bool vertical) {
  if (!second.map) {
    AxisRecord record = axis_record(guide, own, range, vertical, true);
    record.marks = second.marks;
    return record;
  }
  AxisRecord record = axis_record(guide, first, shown, vertical, true);
  record.grid = own.grid;
  record.ticks.clear();
  record.minor.clear();
  for (const double at : guide.at)
    record.ticks.push_back(first.scale.invert(first.reversed ? 1 - at : at, shown));
  return record;
}

}  // namespace

PanelRecord PanelPlan::record() const {
  PanelRecord record;
  record.frame = panel_.frame;
  record.title = title_;
  record.title_top = title_top_;
  record.title_bold = title_style_.bold;
  // One that is not drawn may be named all the same.
  if (x_.visible || !x_guide_.title.text.empty()) {
    record.axes.push_back(axis_record(x_guide_, x_, frame_.x, false, false));
    record.axes.back().line = x_.visible;
  }
  if (y_.visible || !y_guide_.title.text.empty()) {
    record.axes.push_back(axis_record(y_guide_, y_, frame_.y, true, false));
    record.axes.back().line = y_.visible && (theme_.value_axis_line || !y_.grid || panel_.frame);
  }
  if (top_)
    record.axes.push_back(
        second_record(top_->guide, *panel_.top, top_->axis, top_->scale.range, x_, frame_.x, false));
  if (right_)
    record.axes.push_back(
        second_record(right_->guide, *panel_.right, right_->axis, right_->scale.range, y_, frame_.y, true));
  if (bar_ >= 0)
    record.bar =
        BarRecord{{}, axis_record(bar_guide_, bar_axis_, colors_[std::size_t(bar_)]->range(), true, true)};
  return record;
}

}  // namespace orrery::figure
