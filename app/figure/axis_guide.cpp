#include "app/figure/axis_guide.h"

#include <algorithm>
#include <cmath>

namespace orrery::figure {

namespace {

// Distances in text sizes.
constexpr double label_gap = 0.25;   // tick to label
constexpr double title_gap = 0.35;   // label to axis title
constexpr double least_space = 0.6;  // between neighbouring labels on a line
constexpr double tick_spacing_x = 4.4, tick_spacing_y = 4.2;
constexpr int most_ticks_x = 7, most_ticks_y = 6;

TextStyle number_style(const Theme& theme) {
  return {Voice::numbers, theme.text_size, false};
}

bool sideways(Side side) {
  return side == Side::bottom;
}

/// Share of the axis, from the left or from the bottom.
double share(const Axis& axis, Range range, double value) {
  const double u = axis.scale.unit(value, range);
  return axis.reversed ? 1 - u : u;
}

/// A label's extent along the axis.
double along(const std::string& label, Side side, const Theme& theme, const TextMetrics& metrics) {
  const Extent e = metrics.measure(label, number_style(theme));
  return sideways(side) ? e.width : e.ascent + e.descent;
}

/// The indices of labels that touch the one kept before them.
std::vector<int> touching(const AxisGuide& guide, const Axis& axis, Range range, Side side, double length,
                          const Theme& theme, const TextMetrics& metrics) {
  std::vector<int> crowded;
  const double space = sideways(side) ? least_space * theme.text_size : 0;
  double last_at = 0, last_half = -1;
  for (int i = 0; i < guide.ticks.count; ++i) {
    const std::string& label = guide.labels[std::size_t(i)];
    if (label.empty()) continue;
    const double at = share(axis, range, guide.ticks.value(i)) * length;
    const double half = along(label, side, theme, metrics) / 2;
    if (last_half >= 0 && std::abs(at - last_at) < last_half + half + space) {
      crowded.push_back(i);
      continue;
    }
    last_at = at;
    last_half = half;
  }
  return crowded;
}

/// Marks between the labelled ones: single powers where labels skip some, 2 to 9 within a decade.
std::vector<double> minor_ticks(const TickSet& ticks, Range range) {
  std::vector<double> values;
  if (ticks.scale.kind() != Scale::Kind::log) return values;
  const double base = ticks.scale.base();
  const double lo = std::log(range.lo) / std::log(base), hi = std::log(range.hi) / std::log(base);
  if (hi - lo > 40) return values;
  for (int k = int(std::floor(lo)); k <= int(std::ceil(hi)); ++k) {
    values.push_back(std::pow(base, k));
    if (base == 10 && ticks.stride == 1)
      for (int digit = 2; digit < 10; ++digit) values.push_back(digit * std::pow(10.0, k));
  }
  std::erase_if(values, [&](double v) { return v < range.lo * (1 - 1e-9) || v > range.hi * (1 + 1e-9); });
  return values;
}

/// Places on the page seen from an axis: `at` along it from its low end, `out` away from the plot.
struct Ruler {
  Rect plot;
  Side side;

  double length() const { return sideways(side) ? plot.w : plot.h; }
  Point operator()(double at, double out) const {
    switch (side) {
      case Side::bottom:
        return {plot.x + at, plot.y + plot.h + out};
      case Side::left:
        return {plot.x - out, plot.y + plot.h - at};
      case Side::right:
        break;
    }
    return {plot.x + plot.w + out, plot.y + plot.h - at};
  }
};

double widest(const AxisGuide& guide, Side side, const Theme& theme, const TextMetrics& metrics) {
  double most = 0;
  for (const std::string& label : guide.labels) {
    if (label.empty()) continue;
    const Extent e = metrics.measure(label, number_style(theme));
    most = std::max(most, sideways(side) ? e.ascent + e.descent : e.width);
  }
  return most;
}

double title_offset(const AxisGuide& guide, const Axis& axis, Side side, const Theme& theme,
                    const TextMetrics& metrics) {
  if (!axis.visible) return theme.text_size * label_gap;
  const double labels = widest(guide, side, theme, metrics);
  return theme.tick_length + theme.text_size * title_gap +
         (labels > 0 ? labels + theme.text_size * label_gap : 0);
}

}  // namespace

AxisGuide make_guide(const Axis& axis, Range range, Side side, double length, double title_room,
                     const Theme& theme, const TextMetrics& metrics) {
  AxisGuide guide;
  guide.title = fit(axis.label, {Voice::words, theme.label_size, false}, title_room, metrics);
  if (!axis.visible) return guide;
  const double spacing = (sideways(side) ? tick_spacing_x : tick_spacing_y) * theme.text_size;
  const int most = sideways(side) ? most_ticks_x : most_ticks_y;
  for (int target = std::clamp(int(length / spacing) + 1, 3, most); target >= 2; --target) {
    guide.ticks = locate_ticks(axis.scale, range, target, axis.ticks);
    guide.labels = tick_labels(guide.ticks);
    if (touching(guide, axis, range, side, length, theme, metrics).empty()) return guide;
  }
  drop_overlapping(guide, axis, range, side, length, theme, metrics);
  return guide;
}

void drop_overlapping(AxisGuide& guide, const Axis& axis, Range range, Side side, double length,
                      const Theme& theme, const TextMetrics& metrics) {
  for (const int i : touching(guide, axis, range, side, length, theme, metrics))
    guide.labels[std::size_t(i)].clear();
}

double thickness(const AxisGuide& guide, const Axis& axis, Side side, const Theme& theme,
                 const TextMetrics& metrics) {
  if (!guide.title.text.empty())
    return title_offset(guide, axis, side, theme, metrics) +
           line_height(guide.title.text, guide.title.style, metrics);
  if (!axis.visible) return 0;
  const double labels = widest(guide, side, theme, metrics);
  return theme.tick_length + (labels > 0 ? labels + theme.text_size * label_gap : 0);
}

Overhang overhang(const AxisGuide& guide, const Axis& axis, Range range, Side side, double length,
                  const Theme& theme, const TextMetrics& metrics) {
  Overhang out;
  for (int i = 0; i < guide.ticks.count; ++i) {
    const std::string& label = guide.labels[std::size_t(i)];
    if (label.empty()) continue;
    const double at = share(axis, range, guide.ticks.value(i)) * length;
    const double half = along(label, side, theme, metrics) / 2;
    out.low = std::max(out.low, half - at);
    out.high = std::max(out.high, at + half - length);
  }
  return out;
}

void drop_overhanging(AxisGuide& guide, const Axis& axis, Range range, Side side, double length,
                      Overhang room, const Theme& theme, const TextMetrics& metrics) {
  for (int i = 0; i < guide.ticks.count; ++i) {
    std::string& label = guide.labels[std::size_t(i)];
    if (label.empty()) continue;
    const double at = share(axis, range, guide.ticks.value(i)) * length;
    const double half = along(label, side, theme, metrics) / 2;
    if (half - at > room.low || at + half - length > room.high) label.clear();
  }
}

void draw_grid_lines(const AxisGuide& guide, const Axis& axis, const PanelFrame& frame, Side side,
                     const Theme& theme, Scene& scene) {
  if (!axis.grid) return;
  const Ruler ruler{frame.plot, side};
  const double across = sideways(side) ? frame.plot.h : frame.plot.w;
  const Range range = sideways(side) ? frame.x : frame.y;
  for (int i = 0; i < guide.ticks.count; ++i) {
    const double at = share(axis, range, guide.ticks.value(i)) * ruler.length();
    scene.primitives.emplace_back(
        Polyline{{ruler(at, 0), ruler(at, -across)}, theme.grid, theme.grid_width, {}, false});
  }
}

void draw_axis(const AxisGuide& guide, const Axis& axis, const Rect& plot, Range range, Side side, bool line,
               const Theme& theme, const TextMetrics& metrics, Scene& scene) {
  const Ruler ruler{plot, side};
  const auto mark = [&](double value, double size) {
    const double at = share(axis, range, value) * ruler.length();
    scene.primitives.emplace_back(
        Polyline{{ruler(at, 0), ruler(at, size)}, theme.axis, theme.axis_width, {}, false});
  };
  if (axis.visible && line) {
    scene.primitives.emplace_back(
        Polyline{{ruler(0, 0), ruler(ruler.length(), 0)}, theme.axis, theme.axis_width, {}, false});
    for (const double v : minor_ticks(guide.ticks, range)) mark(v, theme.tick_length * 0.5);
    for (int i = 0; i < guide.ticks.count; ++i) mark(guide.ticks.value(i), theme.tick_length);
  }
  const HAlign h =
      side == Side::bottom ? HAlign::center : (side == Side::left ? HAlign::right : HAlign::left);
  const VAlign v = side == Side::bottom ? VAlign::top : VAlign::middle;
  const Color numbers =
      theme.value_axis_line ? theme.text : theme.secondary;  // quiet on a screen, black on paper
  for (int i = 0; i < guide.ticks.count; ++i) {
    const std::string& label = guide.labels[std::size_t(i)];
    if (label.empty()) continue;
    const double at = share(axis, range, guide.ticks.value(i)) * ruler.length();
    scene.primitives.emplace_back(Label{ruler(at, theme.tick_length + theme.text_size * label_gap), label,
                                        number_style(theme), numbers, h, v, true});
  }
  if (guide.title.text.empty()) return;
  const Point at = ruler(ruler.length() / 2, title_offset(guide, axis, side, theme, metrics));
  const bool upright = side == Side::bottom;
  scene.primitives.emplace_back(Label{at, guide.title.text, guide.title.style, numbers, HAlign::center,
                                      side == Side::left ? VAlign::bottom : VAlign::top, upright});
}

}  // namespace orrery::figure
