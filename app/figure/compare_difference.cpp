// One panel minus the other.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/figure/color_scales.h"
#include "app/figure/compare_pairs.h"
#include "app/figure/counterparts.h"
#include "app/figure/data_range.h"
#include "app/figure/field.h"
#include "app/figure/line_value.h"
#include "app/figure/mark_difference.h"
#include "app/figure/mark_facts.h"
#include "app/figure/reading.h"

namespace orrery::figure {

namespace {

constexpr double symlog_decades = 3;  // shown on either side of zero where the values had a logarithmic axis

bool is_field(const Mark& mark) {
  return facts(mark).nature == Nature::field;
}

bool has_values(const Mark& mark) {
  const MarkFacts own = facts(mark);
  if (own.reading && own.reading->none) return false;
  return own.heights || own.nature == Nature::field;
}

struct Minus {
  const Panel& panel;

  MarkDifference operator()(const Line& a, const Line& b) const {
    return difference(a, b, panel.x.scale, panel.y.scale);
  }
  template <OneOf<Points, Stems, Bars, Histogram, Heatmap, Contours> M>
  MarkDifference operator()(const M& a, const M& b) const {
    return difference(a, b);
  }
  template <OneOf<Band, Rule, Note, ErrorBars, Shape, Arrows, Arc, Annotation, Inset> M>
  MarkDifference operator()(const M&, const M&) const {
    return {};
  }
};

MarkDifference difference_of(const Mark& a, const Mark& b, const Panel& panel) {
  return same_kind(Minus{panel}, a, b).value_or(MarkDifference{});
}

/// Marks at their values, where they are drawn elsewhere: what is drawn in lanes differs by what it says.
Panel at_values(Panel panel) {
  bool moved = false;
  for (Mark& mark : panel.marks)
    std::visit(
        [&](auto& m) {
          if constexpr (requires { m.reading; }) {
            if (m.reading.value.empty()) return;
            if constexpr (requires { m.height; })
              m.height = std::move(m.reading.value);
            else if constexpr (requires { m.y; })
              m.y = std::move(m.reading.value);
            m.reading.value.clear();
            if (m.label.empty()) m.label = m.reading.name;
            moved = true;
          }
        },
        mark);
  if (!moved) return panel;
  panel.y = {.scale = panel.y.scale, .grid = true};
  if (panel.legend == LegendPlace::none) panel.legend = LegendPlace::best;
  return panel;
}

bool is_lone_marker(const Mark& mark) {
  const auto* points = std::get_if<Points>(&mark);
  return points && points->x.size() == 1;
}

/// A marker by itself says where on a curve something is: the axis is that of the curves.
void fit_to_curves(Panel& panel) {
  if (!std::ranges::any_of(panel.marks, is_lone_marker)) return;
  Panel curves = panel;  // the marks keep their places: an axis on the right names them
  bool any = false;
  for (Mark& mark : curves.marks)
    if (is_lone_marker(mark))
      std::get<Points>(mark) = {};
    else
      any = any || facts(mark).heights;
  if (any) panel.y.range = y_range(curves);
}

/// An upright rule says something about positions, which stay.
bool same_position(const Mark& mark, const Panel& a) {
  const auto* rule = std::get_if<Rule>(&mark);
  if (!rule || rule->direction != Direction::vertical) return false;
  return std::ranges::any_of(a.marks, [&](const Mark& other) {
    const auto* own = std::get_if<Rule>(&other);
    return own && own->direction == rule->direction && own->at == rule->at && own->to == rule->to;
  });
}

/// Of marks that are called by their settings, both names say what is subtracted.
void name_difference(Mark& difference, const Mark& a) {
  std::string* label = label_of(difference);
  const std::string* of_a = label_of(a);
  if (!label || label->empty() || !of_a || of_a->empty() || *label == *of_a) return;
  *label += " − " + *of_a;
}

/// All samples of one kind on both sides, each side's as one mark, where every place has one of them at most: they are one
/// quantity, and on which mark a sample stands is a matter of words ("come round", "never").
template <class M>
class Pool {
 public:
  Pool(const Panel& panel_a, const Panel& panel_b) {
    const std::vector<double> p = gather(panel_a, a_), q = gather(panel_b, b_);
    same_places_ = std::ranges::equal(p, q, same_place);
    serves_ = a_.one_quantity && b_.one_quantity && a_.marks > 0 && b_.marks > 0 && a_.marks + b_.marks > 2;
  }
  /// From all of A to a mark of B; nothing where samples are not one quantity.
  std::optional<MarkDifference> to(const M& mark) const {
    if (mark.x.size() < 2 || !serves_) return std::nullopt;
    MarkDifference made = difference(a_.all, mark);
    if (made.mark) made.remark = same_places_ ? "" : "only the positions that A and B have in common";
    return made;
  }

 private:
  struct Side {
    M all;
    bool one_quantity = true;
    std::size_t marks = 0;
  };
  /// The places, in order.
  static std::vector<double> gather(const Panel& panel, Side& side) {
    for (const Mark& mark : panel.marks) {
      const M* own = std::get_if<M>(&mark);
      if (!own || own->x.size() < 2 || !has_values(mark)) continue;
      if (panel.right || !std::ranges::all_of(own->x, [](double x) { return std::isfinite(x); }))
        side.one_quantity = false;
      side.all.x.insert(side.all.x.end(), own->x.begin(), own->x.end());
      values(side.all).insert(values(side.all).end(), values(*own).begin(), values(*own).end());
      ++side.marks;
    }
    std::vector<double> x = side.all.x;
    std::ranges::sort(x);
    side.one_quantity = side.one_quantity && x.size() == values(side.all).size() &&
                        std::ranges::adjacent_find(x, same_place) == x.end();
    return x;
  }
  template <class Any>
  static auto& values(Any& mark) {
    if constexpr (requires { mark.height; })
      return mark.height;
    else
      return mark.y;
  }

  Side a_, b_;
  bool serves_ = false, same_places_ = false;
};

/// The pools of two panels: gathered once for all marks of B.
class FromPool {
 public:
  FromPool(const Panel& a, const Panel& b) : points_(a, b), stems_(a, b), bars_(a, b) {}

  std::optional<MarkDifference> operator()(const Points& mark) const { return points_.to(mark); }
  std::optional<MarkDifference> operator()(const Stems& mark) const { return stems_.to(mark); }
  std::optional<MarkDifference> operator()(const Bars& mark) const { return bars_.to(mark); }
  template <OneOf<Line, Band, Rule, Note, Heatmap, ErrorBars, Histogram, Shape, Arrows, Arc, Annotation,
                  Inset, Contours>
                M>
  std::optional<MarkDifference> operator()(const M&) const {
    return std::nullopt;
  }

 private:
  Pool<Points> points_;
  Pool<Stems> stems_;
  Pool<Bars> bars_;
};

/// Said where there is nothing to be seen.
void say_equal(Panel& panel) {
  panel.marks.push_back(Inset{.text = "equal in both"});
}

/// A field of nothing but zeros, as far as a coarse look tells; no field is one too.
bool is_zero(const Mark& mark) {
  const auto field = field_of(mark);
  return !field || field_range(*field) == Range{0, 0};
}

double largest_of(const std::vector<Mark>& marks) {
  double largest = 0;
  for (const Mark& mark : marks)
    if (const auto heights = facts(mark).heights)
      for (const double v : *heights)
        if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  return largest;
}

/// The axis of the difference: found anew, about zero. Where values had decades, so have their differences.
void settle_values(Axis& axis, double largest, const SideWords& words) {
  axis.label = words.b + " − " + words.a + (axis.label.empty() ? "" : ": " + axis.label);
  axis.range.reset();
  axis.names.clear();
  axis.group = 0;
  if (axis.ticks == TickHint::powers_of_two) axis.ticks = TickHint::none;
  if (axis.scale.kind() == Scale::Kind::linear) return;
  axis.scale = largest > 0 && std::isfinite(largest)
                   ? Scale::symlog(std::pow(10, std::floor(std::log10(largest)) - symlog_decades))
                   : Scale::linear();
}

/// What is left of a second axis: marks with a scale of their own keep it.
void settle_right(Panel& panel, const std::vector<int>& place) {
  panel.top.reset();
  if (!panel.right) return;
  std::vector<int> marks;
  for (const int mark : panel.right->marks)
    if (place.at(std::size_t(mark)) >= 0) marks.push_back(place[std::size_t(mark)]);
  if (panel.right->map || marks.empty()) return panel.right.reset();
  panel.right->marks = std::move(marks);
  panel.right->axis.range.reset();
}

}  // namespace

Merged subtract(const Panel& drawn_a, const Panel& drawn_b, const SideWords& words) {
  const Panel a = at_values(drawn_a), b = at_values(drawn_b);
  const std::string kept = ", so A and B stand side by side";
  if (!alike(a, b)) return {{}, "the axes differ" + kept};
  const std::vector<int> partner = counterparts(a, b, true);
  const bool field = std::ranges::any_of(b.marks, is_field);
  if (!field && b.equal_aspect) return {{}, "both directions of a plane are values" + kept};
  const FromPool from_pool(a, b);
  Panel panel = b;
  panel.marks.clear();
  panel.handles.clear();
  std::vector<int> place(b.marks.size(), -1);
  bool found = false;
  std::string reason = "there are no values to subtract", done;
  for (std::size_t i = 0; i < b.marks.size(); ++i) {
    const Mark& mark = b.marks[i];
    if (!has_values(mark)) {
      if (same_position(mark, a)) panel.marks.push_back(mark);
      continue;
    }
    if (field && !is_field(mark)) continue;  // lines on a map are places, not values
    if (auto pooled = std::visit(from_pool, mark); pooled && pooled->mark) {
      if (!pooled->remark.empty()) done = pooled->remark;
      place[i] = int(panel.marks.size());
      panel.marks.push_back(std::move(*pooled->mark));
      found = true;
      continue;
    }
    if (partner[i] < 0) {
      reason = "A and B show different series";
      done = done.empty() ? "a series that only one of A and B has is left out" : done;
      continue;
    }
    MarkDifference one = difference_of(a.marks[std::size_t(partner[i])], mark, b);
    if (!one.mark &&
        std::holds_alternative<Points>(mark)) {  // a marker beside a curve moves with what it marks
      reason = one.remark;
      done = done.empty() ? "points at other positions are left out" : done;
      continue;
    }
    if (!one.mark) return {{}, one.remark + kept};
    if (!one.remark.empty()) done = one.remark;
    name_difference(*one.mark, a.marks[std::size_t(partner[i])]);
    place[i] = int(panel.marks.size());
    panel.marks.push_back(std::move(*one.mark));
    found = true;
  }
  if (!found) return {{}, reason + kept};
  for (std::size_t j = 0; j < a.marks.size(); ++j)
    if (done.empty() && has_values(a.marks[j]) && is_field(a.marks[j]) == field &&
        std::ranges::find(partner, int(j)) == partner.end())
      done = "a series that only one of A and B has is left out";
  settle_right(panel, place);
  const std::string sign = words.b + " − " + words.a;
  if (field) {
    for (Mark& mark : panel.marks)
      if (ColorScale* colors = color_scale(mark))
        colors->label = sign + (colors->label.empty() ? "" : ": " + colors->label);
    if (std::ranges::all_of(panel.marks, is_zero)) {
      if (done.empty()) done = "A and B are equal here";
      say_equal(panel);
    }
  } else {
    const double largest = largest_of(panel.marks);
    settle_values(panel.y, largest, words);
    panel.equal_aspect = false;
    panel.marks.push_back(Rule{.direction = Direction::horizontal,
                               .at = 0,
                               .ink = {Role::axis, 0, 1},
                               .width = 0.6,
                               .dash = Dash::solid});
    fit_to_curves(panel);
    if (largest == 0) {
      if (done.empty()) done = "A and B are equal here";
      say_equal(panel);
    }
  }
  return {std::move(panel), done};
}

}  // namespace orrery::figure
