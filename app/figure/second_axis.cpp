#include "app/figure/second_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/data_range.h"

namespace orrery::figure {

namespace {

constexpr int halvings = 60;  // to the last bit of a share

bool names(const SecondAxis& second, int mark) {
  return !second.map && std::ranges::find(second.marks, mark) != second.marks.end();
}

/// The first axis' values through the map: monotone, or nothing.
std::optional<SecondScale> mapped(const SecondAxis& second, const Axis& first, Range shown) {
  const auto value = [map = second.map, scale = first.scale, shown](double unit) {
    return map(scale.invert(unit, shown));
  };
  std::array<double, 65> samples{};  // between which a map is taken to go on as it does
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = value(double(i) / (samples.size() - 1));
  if (!std::ranges::all_of(samples, [](double v) { return std::isfinite(v); })) return std::nullopt;
  const bool rises = samples.back() > samples.front();
  for (std::size_t i = 1; i < samples.size(); ++i)
    if (!(rises ? samples[i] > samples[i - 1] : samples[i] < samples[i - 1])) return std::nullopt;
  const Range range{std::min(samples.front(), samples.back()), std::max(samples.front(), samples.back())};
  if (!showable(range, second.axis.scale) || second.axis.scale.clamp(range) != range) return std::nullopt;
  return SecondScale{range, [=, reversed = first.reversed](double v) {
                       double lo = 0, hi = 1;
                       for (int i = 0; i < halvings; ++i) {
                         const double middle = (lo + hi) / 2;
                         ((value(middle) < v) == rises ? lo : hi) = middle;
                       }
                       const double u = (lo + hi) / 2;
                       return reversed ? 1 - u : u;
                     }};
}

/// The part of its own range beside the part of the first axis that is shown.
Range beside(const Axis& own, Range own_full, const Axis& first, Range full, Range shown) {
  if (shown == full) return own_full;
  const bool flipped = own.reversed != first.reversed;
  const auto at = [&](double value) {
    const double u = first.scale.unit(value, full);
    return own.scale.invert(flipped ? 1 - u : u, own_full);
  };
  const Range r = flipped ? Range{at(shown.hi), at(shown.lo)} : Range{at(shown.lo), at(shown.hi)};
  return showable(r, own.scale) && own.scale.clamp(r) == r ? r : own_full;
}

}  // namespace

std::optional<SecondScale> second_scale(const Panel& panel, const SecondAxis& second, bool along_x,
                                        Range shown) {
  const Axis& first = along_x ? panel.x : panel.y;
  if (second.map) return mapped(second, first, shown);
  const Range full = along_x ? x_range(panel) : y_range(panel);
  const Range range = beside(second.axis, second_range(panel, second, along_x), first, full, shown);
  return SecondScale{range, share_of(second.axis, range)};
}

PanelFrame mark_frame(const Panel& panel, int mark, const PanelFrame& frame) {
  PanelFrame own = frame;
  if (panel.top && names(*panel.top, mark)) {
    const Axis& axis = panel.top->axis;
    own.x = beside(axis, second_range(panel, *panel.top, true), panel.x, x_range(panel), frame.x);
    own.x_scale = axis.scale;
    own.x_reversed = axis.reversed;
  }
  if (panel.right && names(*panel.right, mark)) {
    const Axis& axis = panel.right->axis;
    own.y = beside(axis, second_range(panel, *panel.right, false), panel.y, y_range(panel), frame.y);
    own.y_scale = axis.scale;
    own.y_reversed = axis.reversed;
  }
  return own;
}

}  // namespace orrery::figure
