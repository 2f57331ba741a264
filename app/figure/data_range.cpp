#include "app/figure/data_range.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace orrery::figure {

namespace {

constexpr double padding = 0.04;   // of the range, on either side
constexpr double largest = 1e300;  // beyond it, lengths and squares of lengths overflow

/// What the marks cover of one axis, and at which ends they want to touch the edge of the panel.
class Coverage {
 public:
  explicit Coverage(const Scale& scale) : scale_(scale) {}

  void add(double v, bool pinned = false) {
    if (!std::isfinite(v) || (scale_.kind() == Scale::Kind::log && v <= 0)) return;
    v = std::clamp(v, -largest / 10, largest / 10);  // room for padding is left
    if (v < lo_ || (v == lo_ && pinned)) std::tie(lo_, lo_pinned_) = std::pair(v, pinned);
    if (v > hi_ || (v == hi_ && pinned)) std::tie(hi_, hi_pinned_) = std::pair(v, pinned);
  }
  void add(const std::vector<double>& values, bool pinned = false) {
    for (const double v : values) add(v, pinned);
  }
  bool empty() const { return lo_ > hi_; }

  Range range() const {
    if (empty()) return scale_.kind() == Scale::Kind::log ? Range{1, scale_.base()} : Range{0, 1};
    const Range tight{lo_, hi_};
    if (!showable(tight, scale_)) return around((lo_ + hi_) / 2);
    const auto padded = [&](double unit) {
      return std::clamp(scale_.invert(unit, tight), -largest, largest);
    };
    return {lo_pinned_ ? lo_ : padded(-padding), hi_pinned_ ? hi_ : padded(1 + padding)};
  }

 private:
  /// Room about a single value.
  Range around(double v) const {
    if (scale_.kind() == Scale::Kind::log)
      return {std::max(v, 1e-300) / scale_.base(), std::max(v, 1e-300) * scale_.base()};
    const Range near{v - std::abs(v) / 2, v + std::abs(v) / 2};
    return showable(near, scale_) ? near : Range{v - 1, v + 1};
  }

  Scale scale_;
  double lo_ = std::numeric_limits<double>::infinity(), hi_ = -lo_;
  bool lo_pinned_ = false, hi_pinned_ = false;
};

struct Along {  // which of its two axes a mark is asked about
  bool x;
  Coverage& out;

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
      for (const double h : m.height) out.add(h);
      return;
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

/// From the marks that an axis is the scale of.
Range found(const Panel& panel, const Scale& scale, bool along_x, const std::function<bool(int)>& counts) {
  Coverage coverage(scale);
  for (int i = 0; i < int(panel.marks.size()); ++i)
    if (counts(i)) std::visit(Along{along_x, coverage}, panel.marks[std::size_t(i)]);
  if (coverage.empty())  // words alone: about where they stand
    for (const Mark& mark : panel.marks)
      if (const auto* note = std::get_if<Note>(&mark)) coverage.add(along_x ? note->x : note->y);
  return coverage.range();
}

Range settled(const Panel& panel, const Axis& axis, bool along_x, const std::function<bool(int)>& counts) {
  Range r = axis.range.value_or(Range{0, 0});
  if (r.lo > r.hi) std::swap(r.lo, r.hi);
  return axis.scale.clamp(showable(r, axis.scale) ? r : found(panel, axis.scale, along_x, counts));
}

bool named(const std::optional<SecondAxis>& second, int mark) {
  return second && !second->map && std::ranges::find(second->marks, mark) != second->marks.end();
}

}  // namespace

bool showable(Range r, const Scale& scale) {
  const double size = std::max(std::abs(r.lo), std::abs(r.hi));
  if (!(r.lo < r.hi) || !(size <= largest) || r.length() < 1e-12 * size) return false;
  if (scale.kind() == Scale::Kind::log && r.hi <= 0) return false;
  const Range shown = scale.clamp(r);
  const double middle = scale.unit(shown.lo + shown.length() / 2, shown);
  return middle > 0 && middle < 1 && shown.length() > 1e-290;
}

Range x_range(const Panel& panel) {
  return settled(panel, panel.x, true, [&](int mark) { return !named(panel.top, mark); });
}
Range y_range(const Panel& panel) {
  return settled(panel, panel.y, false, [&](int mark) { return !named(panel.right, mark); });
}
Range second_range(const Panel& panel, const SecondAxis& second, bool along_x) {
  return settled(panel, second.axis, along_x, [&](int mark) { return named(second, mark); });
}

Range value_range(const Grid& grid) {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const float v : grid.values)
    if (std::isfinite(v)) {
      lo = std::min(lo, double(v));
      hi = std::max(hi, double(v));
    }
  return lo <= hi ? Range{lo, hi} : Range{0, 1};
}

}  // namespace orrery::figure
