// What a panel does not say for want of room.
#include <algorithm>

#include "app/figure/color_scales.h"
#include "app/figure/mark_facts.h"
#include "app/figure/panel_plan.h"
#include "app/figure/texts.h"

namespace orrery::figure {
namespace {

void say_names(const AxisGuide& guide, const Axis& axis, Scene& scene) {
  if (axis.names.empty() || !axis.numbers) return;
  for (std::size_t i = 0; i < guide.labels.size(); ++i) {
    const std::string& name = axis.names[static_cast<std::size_t>(guide.ticks.first) + i];
    if (guide.labels[i].empty() && is_word(name)) scene.left_out.push_back(name);
  }
}

}  // namespace

void PanelPlan::say_left_out(std::size_t legend, Scene& scene) const {
  const auto unless = [&](bool said, const std::string& text) {
    if (!said && !text.empty()) scene.left_out.push_back(text);
  };
  unless(!title_.empty(), panel_.title);
  unless(!x_guide_.title.text.empty(), x_label_);
  unless(!y_guide_.title.text.empty(), y_label_);
  if (panel_.top) unless(top_ && !top_->guide.title.text.empty(), panel_.top->axis.label);
  if (panel_.right) unless(right_ && !right_->guide.title.text.empty(), panel_.right->axis.label);
  unless(bar_ >= 0 && !bar_guide_.title.text.empty(), bar_label_);
  if (x_.visible) say_names(x_guide_, x_, scene);
  if (y_.visible) say_names(y_guide_, y_, scene);
  if (top_) say_names(top_->guide, top_->axis, scene);
  if (right_) say_names(right_->guide, right_->axis, scene);
  for (const LegendEntry& entry : names_)
    unless(std::any_of(scene.legend.begin() + static_cast<std::ptrdiff_t>(legend), scene.legend.end(),
                       [&](const LegendBox& box) { return box.mark == entry.mark; }),
           entry.text);
}

void PanelPlan::leave_out_all(Scene& scene) const {
  const auto say = [&](const std::string& text) {
    if (!text.empty()) scene.left_out.push_back(text);
  };
  say(panel_.title);
  say(x_label_);
  say(y_label_);
  if (panel_.top) say(panel_.top->axis.label);
  if (panel_.right) say(panel_.right->axis.label);
  for (const LegendEntry& entry : names_) say(entry.text);
  std::vector<const Axis*> axes{&panel_.x, &panel_.y};
  if (panel_.top) axes.push_back(&panel_.top->axis);
  if (panel_.right) axes.push_back(&panel_.right->axis);
  for (const Axis* axis : axes)
    for (const std::string& name : axis->names)
      if (axis->visible && axis->numbers && is_word(name)) say(name);
  for (const Mark& mark : panel_.marks) {
    const MarkFacts own = facts(mark);
    if (own.text) say(*own.text);
    if (own.colors && wants_bar(mark)) say(own.colors->label);
  }
}

}  // namespace orrery::figure
