// What a panel does not say for want of room.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/color_scales.h"
#include "app/figure/mark_facts.h"
#include "app/figure/panel_plan.h"
#include "app/figure/texts.h"

namespace orrery::figure {
namespace {

/// The names of an axis that found no room.
std::vector<std::string> names_gone(const AxisGuide& guide, const Axis& axis) {
  std::vector<std::string> gone;
  if (axis.names.empty() || !axis.numbers || !axis.visible) return gone;
  for (std::size_t i = 0; i < guide.labels.size(); ++i) {
    const std::string& name = axis.names[static_cast<std::size_t>(guide.ticks.first) + i];
    if (guide.labels[i].empty() && is_word(name)) gone.push_back(name);
  }
  return gone;
}

/// The names of an axis.
std::vector<std::string> names_on(const Axis& axis) {
  std::vector<std::string> names;
  if (axis.visible && axis.numbers) std::ranges::copy_if(axis.names, std::back_inserter(names), is_word);
  return names;
}

}  // namespace

void PanelPlan::say_left_out(std::size_t legend, Scene& scene) const {
  const auto unless = [&](bool said, const std::string& text) {
    if (!said && !text.empty()) scene.left_out.push_back(text);
  };
  unless(!title_.empty() && !cut_title_, panel_.title);
  unless(!x_guide_.title.text.empty(), x_label_);
  unless(!y_guide_.title.text.empty(), y_label_);
  if (panel_.top) unless(top_ && !top_->guide.title.text.empty(), panel_.top->axis.label);
  if (panel_.right) unless(right_ && !right_->guide.title.text.empty(), panel_.right->axis.label);
  unless(bar_ >= 0 && !bar_guide_.title.text.empty(), bar_label_);
  const auto say_gone = [&](const AxisGuide& guide, const Axis& axis) {
    for (std::string& name : names_gone(guide, axis)) scene.left_out.push_back(std::move(name));
  };
  say_gone(x_guide_, x_);
  say_gone(y_guide_, y_);
  if (top_) say_gone(top_->guide, top_->axis);
  if (right_) say_gone(right_->guide, right_->axis);
  if (detail_ == Detail::bare)  // without axes
    for (const Axis* axis : own_axes())
      for (std::string& name : names_on(*axis)) scene.left_out.push_back(std::move(name));
  for (const LegendEntry& entry : names_)
    unless(std::any_of(scene.legend.begin() + static_cast<std::ptrdiff_t>(legend), scene.legend.end(),
                       [&](const LegendBox& box) { return box.mark == entry.mark; }),
           entry.text);
}

bool PanelPlan::says_its_words() const {
  return !table_.dots && !small_title_ && names_gone(x_guide_, x_).empty() &&
         names_gone(y_guide_, y_).empty() && (!top_ || names_gone(top_->guide, top_->axis).empty()) &&
         (!right_ || names_gone(right_->guide, right_->axis).empty());
}

std::vector<const Axis*> PanelPlan::own_axes() const {
  std::vector<const Axis*> axes{&panel_.x, &panel_.y};
  if (panel_.top) axes.push_back(&panel_.top->axis);
  if (panel_.right) axes.push_back(&panel_.right->axis);
  return axes;
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
  for (const Axis* axis : own_axes())
    for (const std::string& name : names_on(*axis)) say(name);
  for (const Mark& mark : panel_.marks) {
    const MarkFacts own = facts(mark);
    if (own.text) say(*own.text);
    if (own.colors && wants_bar(mark)) say(own.colors->label);
  }
}

}  // namespace orrery::figure
