// One panel minus the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "app/figure/compare_pairs.h"
#include "app/figure/field.h"
#include "app/figure/mark_difference.h"

namespace orrery::figure {

namespace {

constexpr double symlog_decades = 3;  // shown on either side of zero where the values had a logarithmic axis

bool has_values(const Mark& mark) {
  return std::holds_alternative<Line>(mark) || std::holds_alternative<Points>(mark) ||
         std::holds_alternative<Stems>(mark) || std::holds_alternative<Bars>(mark) ||
         std::holds_alternative<Histogram>(mark) || std::holds_alternative<Heatmap>(mark) ||
         std::holds_alternative<Contours>(mark);
}

bool is_field(const Mark& mark) {
  return std::holds_alternative<Heatmap>(mark) || std::holds_alternative<Contours>(mark);
}

std::string label_of(const Mark& mark) {
  return std::visit(
      [](const auto& m) -> std::string {
        if constexpr (requires { m.label; })
          return m.label;
        else
          return {};
      },
      mark);
}

/// The marks of one kind, by their index in the panel.
std::vector<int> of_kind(const Panel& panel, std::size_t kind) {
  std::vector<int> found;
  for (std::size_t i = 0; i < panel.marks.size(); ++i)
    if (panel.marks[i].index() == kind) found.push_back(int(i));
  return found;
}

/// For each mark of B with values the one of A that it is compared with: of its kind in the same order, or, where one side
/// has more of them, of the same name. −1: none.
std::vector<int> partners(const Panel& a, const Panel& b) {
  std::vector<int> partner(b.marks.size(), -1);
  for (std::size_t i = 0; i < b.marks.size(); ++i) {
    if (!has_values(b.marks[i])) continue;
    const std::vector<int> of_a = of_kind(a, b.marks[i].index()), of_b = of_kind(b, b.marks[i].index());
    if (of_a.size() == of_b.size()) {
      partner[i] = of_a[std::size_t(std::ranges::find(of_b, int(i)) - of_b.begin())];
      continue;
    }
    const std::string label = label_of(b.marks[i]);
    const auto same = std::ranges::find_if(
        of_a, [&](int j) { return !label.empty() && label_of(a.marks[std::size_t(j)]) == label; });
    if (same != of_a.end()) partner[i] = *same;
  }
  return partner;
}

MarkDifference difference_of(const Mark& a, const Mark& b, const Panel& panel) {
  return std::visit(
      [&](const auto& m) -> MarkDifference {
        using M = std::decay_t<decltype(m)>;
        if constexpr (std::is_same_v<M, Line>)
          return difference(std::get<Line>(a), m, panel.x.scale, panel.y.scale);
        else if constexpr (requires { difference(m, m); })
          return difference(std::get<M>(a), m);
        else
          return {};
      },
      b);
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

const std::vector<double>* heights_of(const Mark& mark) {
  if (const auto* m = std::get_if<Line>(&mark)) return &m->y;
  if (const auto* m = std::get_if<Points>(&mark)) return &m->y;
  if (const auto* m = std::get_if<Stems>(&mark)) return &m->y;
  if (const auto* m = std::get_if<Bars>(&mark)) return &m->height;
  if (const auto* m = std::get_if<Histogram>(&mark)) return &m->heights;
  return nullptr;
}

/// A field of nothing but zeros, as far as a coarse look tells; no field is one too.
bool is_zero(const Mark& mark) {
  const auto zero = [](const Field& field) { return field_range(field) == Range{0, 0}; };
  if (const auto* map = std::get_if<Heatmap>(&mark)) return zero(field_of(*map));
  if (const auto* contours = std::get_if<Contours>(&mark)) return zero(field_of(*contours));
  return true;
}

double largest_of(const std::vector<Mark>& marks) {
  double largest = 0;
  for (const Mark& mark : marks)
    if (const auto* heights = heights_of(mark))
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

Merged subtract(const Panel& a, const Panel& b, const SideWords& words) {
  const std::string kept = ", so A and B stand side by side";
  if (!alike(a, b)) return {{}, "the axes differ" + kept};
  const std::vector<int> partner = partners(a, b);
  const bool field = std::ranges::any_of(b.marks, is_field);
  Merged out;
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
    if (partner[i] < 0) {
      reason = "A and B show different series";
      done = done.empty() ? "only the series that A and B have in common" : done;
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
    place[i] = int(panel.marks.size());
    panel.marks.push_back(std::move(*one.mark));
    found = true;
  }
  if (!found) return {{}, reason + kept};
  settle_right(panel, place);
  const std::string sign = words.b + " − " + words.a;
  if (field) {
    for (Mark& mark : panel.marks)
      if (auto* map = std::get_if<Heatmap>(&mark))
        map->colors.label = sign + (map->colors.label.empty() ? "" : ": " + map->colors.label);
      else if (auto* contours = std::get_if<Contours>(&mark))
        contours->colors.label = sign + (contours->colors.label.empty() ? "" : ": " + contours->colors.label);
    if (done.empty() && std::ranges::all_of(panel.marks, is_zero)) done = "A and B are equal here";
  } else {
    const double largest = largest_of(panel.marks);
    settle_values(panel.y, largest, words);
    panel.equal_aspect = false;
    panel.marks.push_back(Rule{.direction = Direction::horizontal,
                               .at = 0,
                               .ink = {Role::axis, 0, 1},
                               .width = 0.6,
                               .dash = Dash::solid});
    if (largest == 0 && done.empty()) done = "A and B are equal here";
  }
  return {std::move(panel), done};
}

}  // namespace orrery::figure
