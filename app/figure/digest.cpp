#include "app/figure/digest.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/figure/field.h"
#include "app/figure/mark_facts.h"

namespace orrery::figure {

namespace {

constexpr double largest_shown = 1e299;  // beyond it, a range with room for padding overflows

/// Collects what a mark covers along one axis.
struct Gather {
  AxisCover& out;

  void add(const Bound& bound) const {
    const auto place = [&](std::size_t i) {
      return bound.at[i] + (bound.by.empty() ? 0 : bound.times * bound.by[i]) + bound.shift;
    };
    const std::size_t count = bound.by.empty() ? bound.at.size() : std::min(bound.at.size(), bound.by.size());
    AxisCover own;  // four numbers that stay in registers
    for (std::size_t i = 0; i < count; ++i) {
      const double v = place(i);
      if (!std::isfinite(v)) continue;
      own.all.lo = std::min(own.all.lo, v);
      own.all.hi = std::max(own.all.hi, v);
      if (v > 0) own.positive.lo = std::min(own.positive.lo, v);
    }
    if (own.all.hi > 0) own.positive.hi = own.all.hi;
    for (Cover* cover : {&own.all, &own.positive}) {
      if (cover->empty()) continue;
      cover->lo = std::clamp(cover->lo, -largest_shown, largest_shown);
      cover->hi = std::clamp(cover->hi, -largest_shown, largest_shown);
      cover->lo_pinned = cover->hi_pinned = bound.pinned;
    }
    out.all.add(own.all);
    out.positive.add(own.positive);
  }
};

std::optional<Range> values_of(const Mark& mark) {
  const auto scale = facts(mark).colors;
  if (!scale || scale->range) return std::nullopt;
  return field_range(*field_of(mark));
}

}  // namespace

void Cover::add(double value, bool pinned) {
  if (!std::isfinite(value)) return;
  value = std::clamp(value, -largest_shown, largest_shown);
  if (value < lo || (value == lo && pinned)) std::tie(lo, lo_pinned) = std::pair(value, pinned);
  if (value > hi || (value == hi && pinned)) std::tie(hi, hi_pinned) = std::pair(value, pinned);
}

void Cover::add(const Cover& other) {
  if (other.empty()) return;
  add(other.lo, other.lo_pinned);
  add(other.hi, other.hi_pinned);
}

PanelDigest digest(const Panel& panel) {
  PanelDigest out;
  out.marks.resize(panel.marks.size());
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    MarkDigest& own = out.marks[i];
    const MarkFacts mark = facts(panel.marks[i]);
    for (const Bound& bound : mark.along_x) Gather{own.x}.add(bound);
    for (const Bound& bound : mark.along_y) Gather{own.y}.add(bound);
    own.values = values_of(panel.marks[i]);
    if (const auto* line = std::get_if<Line>(&panel.marks[i])) own.trace = Trace::of(line->x, line->y);
  }
  return out;
}

Digest digest(const Figure& figure) {
  Digest out;
  for (const Panel& panel : figure.panels) out.panels.push_back(digest(panel));
  return out;
}

}  // namespace orrery::figure
