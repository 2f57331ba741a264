#include "app/figure/axis_guide.h"

#include <algorithm>
#include <cmath>

#include "app/figure/text_box.h"
#include "app/figure/texts.h"

namespace orrery::figure {

Color quiet_words(const Theme& theme) {
  return theme.value_axis_line ? theme.text : theme.secondary;
}

namespace {

// Distances in text sizes.
constexpr double least_space = 0.6;  // between neighbouring labels on a line
constexpr double tick_spacing_x = 4.4, tick_spacing_y = 4.2;
constexpr int most_ticks_x = 7, most_ticks_y = 6;

bool sideways(Side side) {
  return side == Side::bottom || side == Side::top;
}

/// A label's extent along the axis.
double along(const std::string& label, const AxisGuide& guide, Side side, const TextMetrics& metrics) {
  const Extent e = metrics.measure(label, guide.style);
  return sideways(side) != guide.turned ? e.width : e.ascent + e.descent;
}

/// The indices of labels that touch the one kept before them.
std::vector<std::size_t> touching(const AxisGuide& guide, Side side, double length, const Theme& theme,
                                  const TextMetrics& metrics) {
  std::vector<std::size_t> crowded;
  const double space = sideways(side) && !guide.turned ? least_space * theme.text_size : 0;
  double last_at = 0, last_half = -1;
  for (std::size_t i = 0; i < guide.labels.size(); ++i) {
    const std::string& label = guide.labels[i];
    if (label.empty()) continue;
    const double at = guide.at[i] * length;
    const double half = along(label, guide, side, metrics) / 2;
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
std::vector<double> minor_ticks(const TickSet& ticks, const Scale& scale, Range range) {
  std::vector<double> values;
  if (ticks.scale.kind() != Scale::Kind::log && ticks.uneven.empty()) return values;
  const double base = scale.base();
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
      case Side::top:
        return {plot.x + at, plot.y - out};
      case Side::right:
        break;
    }
    return {plot.x + plot.w + out, plot.y + plot.h - at};
  }
};

double widest(const AxisGuide& guide, Side side, const TextMetrics& metrics) {
  double most = 0;
  for (const std::string& label : guide.labels) {
    if (label.empty()) continue;
    const Extent e = metrics.measure(label, guide.style);
    most = std::max(most, sideways(side) != guide.turned ? e.ascent + e.descent : e.width);
  }
  return most;
}

double title_offset(const AxisGuide& guide, const Axis& axis, Side side, const Theme& theme,
                    const TextMetrics& metrics) {
  if (!axis.visible) return theme.text_size * label_gap;
  const double labels = widest(guide, side, metrics);
  return theme.tick_length + theme.text_size * axis_title_gap +
         (labels > 0 ? labels + theme.text_size * label_gap : 0);
}

/// Ticks at the places of an axis' names, with the names.
void name_ticks(AxisGuide& guide, const Axis& axis, Range range) {
  const double last = std::min(std::floor(range.hi), double(axis.names.size()) - 1);
  guide.ticks.first = std::int64_t(std::clamp(std::ceil(range.lo), 0.0, double(axis.names.size())));
  guide.ticks.count = std::max(0, int(last) - int(guide.ticks.first) + 1);
  guide.labels.assign(axis.names.begin() + guide.ticks.first,
                      axis.names.begin() + guide.ticks.first + guide.ticks.count);
}

/// Names become smaller before one of them goes: numbers in a row say what stands between them, names do not.
void shrink_names(AxisGuide& guide, Side side, double length, const Theme& theme,
                  const TextMetrics& metrics) {
  constexpr double least = 0.7;
  if (guide.style.voice != Voice::words || std::ranges::none_of(guide.labels, is_word)) return;
  const TextStyle own = guide.style;
  while (!touching(guide, side, length, theme, metrics).empty()) {
    const double smaller = stepped_size(0.97 * guide.style.size);
    if (smaller < least * theme.text_size || smaller >= guide.style.size) {
      guide.style = own;
      return;
    }
    guide.style.size = smaller;
  }
}

/// Of two or three whole numbers, an axis that is longer than they are says these and none beside them, which nothing has.
void keep_to_few(TickSet& ticks, Range data, Range shown) {
  constexpr double few = 2, slack = 1e-9;
  const auto beyond = [&](double value) { return value < data.lo - slack || value > data.hi + slack; };
  if (data.length() > few || ticks.count == 0 || ticks.scale.kind() != Scale::Kind::linear) return;
  if (!beyond(ticks.value(0)) && !beyond(ticks.value(ticks.count - 1))) return;
  const double first = std::ceil(std::max(data.lo, shown.lo) - slack),
               last = std::floor(std::min(data.hi, shown.hi) + slack);
  if (first > last) return;
  ticks = {};
  ticks.first = static_cast<std::int64_t>(first);
  ticks.count = static_cast<int>(last - first) + 1;
}

}  // namespace

ShareOf share_of(const Axis& axis, Range range) {
  return [scale = axis.scale, reversed = axis.reversed, range](double value) {
    const double u = scale.unit(value, range);
    return reversed ? 1 - u : u;
  };
}

AxisGuide make_guide(const Unguided& unguided, const Theme& theme, const TextMetrics& metrics) {
  const Axis& axis = unguided.axis;
  const Range range = unguided.range;
  const Side side = unguided.side;
  const double length = unguided.length;
  AxisGuide guide;
  guide.title = fit(axis.label, {Voice::words, theme.label_size, false}, unguided.title_room, metrics);
  guide.style = {axis.names.empty() ? Voice::numbers : Voice::words, theme.text_size, false};
  if (!axis.visible) return guide;
  const double spacing = (sideways(side) ? tick_spacing_x : tick_spacing_y) * theme.text_size;
  const int most = sideways(side) ? most_ticks_x : most_ticks_y;
  const auto settle = [&] {
    guide.at.clear();
    for (int i = 0; i < guide.ticks.count; ++i) guide.at.push_back(unguided.share(guide.ticks.value(i)));
  };
  if (!axis.names.empty()) {
    name_ticks(guide, axis, range);
    settle();
    guide.turned = sideways(side) && std::ranges::any_of(guide.labels, is_word) &&
                   !touching(guide, side, length, theme, metrics).empty();
  } else {
    for (int target = std::clamp(int(length / spacing) + 1, 3, most); target >= 2; --target) {
      guide.ticks = locate_ticks(axis.scale, range, target, axis.ticks);
      if (unguided.data && axis.ticks == TickHint::integers) keep_to_few(guide.ticks, *unguided.data, range);
      guide.labels = tick_labels(guide.ticks);
      settle();
      if (touching(guide, side, length, theme, metrics).empty()) break;
    }
    guide.minor_values = minor_ticks(guide.ticks, axis.scale, range);
    for (const double v : guide.minor_values) guide.minor.push_back(unguided.share(v));
  }
  if (!axis.numbers) guide.labels.assign(guide.labels.size(), "");
  drop_overlapping(guide, side, length, theme, metrics);
  return guide;
}

void drop_overlapping(AxisGuide& guide, Side side, double length, const Theme& theme,
                      const TextMetrics& metrics) {
  shrink_names(guide, side, length, theme, metrics);
  for (const std::size_t i : touching(guide, side, length, theme, metrics)) guide.labels[i].clear();
}

double thickness(const AxisGuide& guide, const Axis& axis, Side side, const Theme& theme,
                 const TextMetrics& metrics) {
  if (!guide.title.text.empty())
    return title_offset(guide, axis, side, theme, metrics) +
           line_height(guide.title.text, guide.title.style, metrics);
  if (!axis.visible) return 0;
  const double labels = widest(guide, side, metrics);
  return theme.tick_length + (labels > 0 ? labels + theme.text_size * label_gap : 0);
}

Overhang overhang(const AxisGuide& guide, Side side, double length, const TextMetrics& metrics) {
  Overhang out;
  for (std::size_t i = 0; i < guide.labels.size(); ++i) {
    if (guide.labels[i].empty()) continue;
    const double at = guide.at[i] * length, half = along(guide.labels[i], guide, side, metrics) / 2;
    out.low = std::max(out.low, half - at);
    out.high = std::max(out.high, at + half - length);
  }
  return out;
}

void drop_overhanging(AxisGuide& guide, Side side, double length, Overhang room, const TextMetrics& metrics) {
  for (std::size_t i = 0; i < guide.labels.size(); ++i) {
    std::string& label = guide.labels[i];
    if (label.empty()) continue;
    const double at = guide.at[i] * length, half = along(label, guide, side, metrics) / 2;
    if (half - at > room.low || at + half - length > room.high) label.clear();
  }
}

void keep_title_within(AxisGuide& guide, double length, Overhang room, const Theme& theme,
                       const TextMetrics& metrics) {
  const double most = length + 2 * std::min(room.low, room.high);
  if (guide.title.text.empty() || metrics.measure(guide.title.text, guide.title.style).width <= most) return;
  guide.title = fit(guide.title.text, {Voice::words, theme.label_size, false}, most, metrics);
}

void draw_grid_lines(const AxisAt& at_side, const Theme& theme, Scene& scene) {
  const auto& [guide, axis, plot, side] = at_side;
  if (!axis.grid) return;
  const Ruler ruler{plot, side};
  const double across = sideways(side) ? plot.h : plot.w;
  for (const double share : guide.at) {
    const double at = share * ruler.length();
    scene.primitives.emplace_back(
        Polyline{{ruler(at, 0), ruler(at, -across)}, theme.grid, theme.grid_width, {}, false});
  }
}

void draw_axis(const AxisAt& at_side, bool line, const Theme& theme, const TextMetrics& metrics,
               Scene& scene) {
  const auto& [guide, axis, plot, side] = at_side;
  const Ruler ruler{plot, side};
  const auto mark = [&](double share, double size) {
    const double at = share * ruler.length();
    scene.primitives.emplace_back(
        Polyline{{ruler(at, 0), ruler(at, size)}, theme.axis, theme.axis_width, {}, false});
  };
  if (axis.visible && line) {
    scene.primitives.emplace_back(
        Polyline{{ruler(0, 0), ruler(ruler.length(), 0)}, theme.axis, theme.axis_width, {}, false});
    for (const double share : guide.minor) mark(share, theme.tick_length * 0.5);
    for (const double share : guide.at) mark(share, theme.tick_length);
  }
  const HAlign h = sideways(side) ? HAlign::center : (side == Side::left ? HAlign::right : HAlign::left);
  const VAlign v = side == Side::bottom ? VAlign::top : side == Side::top ? VAlign::bottom : VAlign::middle;
  const Color numbers = quiet_words(theme);
  for (std::size_t i = 0; i < guide.labels.size(); ++i) {
    if (guide.labels[i].empty()) continue;
    const Point at = ruler(guide.at[i] * ruler.length(), theme.tick_length + theme.text_size * label_gap);
    // Turned, its end is at the axis.
    scene.primitives.emplace_back(
        guide.turned ? Label{at, guide.labels[i], guide.style, numbers,
                             side == Side::top ? HAlign::left : HAlign::right, VAlign::middle, false}
                     : Label{at, guide.labels[i], guide.style, numbers, h, v, true});
  }
  if (guide.title.text.empty()) return;
  const Point at = ruler(ruler.length() / 2, title_offset(guide, axis, side, theme, metrics));
  const VAlign outwards = side == Side::left || side == Side::top ? VAlign::bottom : VAlign::top;
  scene.primitives.emplace_back(
      Label{at, guide.title.text, guide.title.style, numbers, HAlign::center, outwards, sideways(side)});
}

}  // namespace orrery::figure
