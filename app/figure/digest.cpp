#include "app/figure/digest.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/figure/color_scales.h"
#include "app/figure/field.h"

namespace orrery::figure {

namespace {

constexpr double largest = 1e299;  // beyond it, a range with room for padding overflows

/// Collects what a mark covers along one axis.
struct Gather {
  AxisCover& out;

  void add(double v, bool pinned = false) const {
    out.all.add(v, pinned);
    if (v > 0) out.positive.add(v, pinned);
  }
  void add(const std::vector<double>& values, bool pinned = false) const {
    AxisCover own;  // four numbers that stay in registers
    for (const double v : values) {
      if (!std::isfinite(v)) continue;
      own.all.lo = std::min(own.all.lo, v);
      own.all.hi = std::max(own.all.hi, v);
      if (v > 0) own.positive.lo = std::min(own.positive.lo, v);
    }
    if (own.all.hi > 0) own.positive.hi = own.all.hi;
    for (Cover* cover : {&own.all, &own.positive}) {
      if (cover->empty()) continue;
      cover->lo = std::clamp(cover->lo, -largest, largest);
      cover->hi = std::clamp(cover->hi, -largest, largest);
      cover->lo_pinned = cover->hi_pinned = pinned;
    }
    out.all.add(own.all);
    out.positive.add(own.positive);
  }
};

struct Along {  // which of its two axes a mark is asked about
  bool x;
  Gather out;

  void operator()(const Line& m) const { x ? out.add(m.x, true) : out.add(m.y); }
  void operator()(const Points& m) const { out.add(x ? m.x : m.y); }
  void operator()(const Band& m) const {
    if (x) return out.add(m.x, true);
    out.add(m.lo);
    out.add(m.hi);
  }
  void operator()(const Bars& m) const {
    if (!x) {
      out.add(m.baseline, true);
      return out.add(m.height);
    }
    for (const double v : m.x) {
      out.add(v - m.width / 2);
      out.add(v + m.width / 2);
    }
  }
  void operator()(const Heatmap& m) const {
    out.add(x ? m.x.lo : m.y.lo, true);
    out.add(x ? m.x.hi : m.y.hi, true);
  }
  void operator()(const Rule& m) const {
    if (x != (m.direction == Direction::vertical)) return;
    out.add(m.at);
    if (m.to) out.add(*m.to, true);
  }
  void operator()(const Stems& m) const {
    if (!x) out.add(m.baseline, true);
    out.add(x ? m.x : m.y);
  }
  void operator()(const ErrorBars& m) const {
    const std::vector<double>& at = x ? m.x : m.y;
    const Spread& spread = x ? m.dx : m.dy;
    const std::vector<double>& above = spread.above.empty() ? spread.below : spread.above;
    out.add(at);
    for (std::size_t i = 0; i < std::min(at.size(), spread.below.size()); ++i)
      out.add(at[i] - spread.below[i]);
    for (std::size_t i = 0; i < std::min(at.size(), above.size()); ++i) out.add(at[i] + above[i]);
  }
  void operator()(const Histogram& m) const {
    if (x) return out.add(m.edges);
    out.add(m.baseline, true);
    out.add(m.heights);
  }
  void operator()(const Shape& m) const { out.add(x ? m.x : m.y); }
  void operator()(const Arrows& m) const {
    const std::vector<double>&from = x ? m.x : m.y, &by = x ? m.dx : m.dy;
    out.add(from);
    for (std::size_t i = 0; i < std::min(from.size(), by.size()); ++i) out.add(from[i] + by[i]);
  }
  void operator()(const Arc& m) const {
    const double middle = x ? m.x : m.y, reach = m.on_page ? 0 : std::abs(m.radius);
    out.add(middle - reach);
    out.add(middle + reach);
  }
  void operator()(const Annotation& m) const { out.add(x ? m.x : m.y); }
  void operator()(const Contours& m) const {
    out.add(x ? m.x.lo : m.y.lo, true);
    out.add(x ? m.x.hi : m.y.hi, true);
  }
  void operator()(const Note&) const {}
  void operator()(const Inset&) const {}
};

std::optional<Range> values_of(const Mark& mark) {
  const ColorScale* scale = color_scale(mark);
  if (!scale || scale->range) return std::nullopt;
  if (const auto* map = std::get_if<Heatmap>(&mark)) return field_range(field_of(*map));
  return field_range(field_of(std::get<Contours>(mark)));
}

}  // namespace

void Cover::add(double value, bool pinned) {
  if (!std::isfinite(value)) return;
  value = std::clamp(value, -largest, largest);
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
    std::visit(Along{true, {own.x}}, panel.marks[i]);
    std::visit(Along{false, {own.y}}, panel.marks[i]);
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
