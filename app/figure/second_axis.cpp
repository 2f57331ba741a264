#include "app/figure/second_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/data_range.h"

namespace orrery::figure {

namespace {

constexpr int halvings = 60;  // to the last bit of a share

bool names_mark(const SecondAxis& second, int mark) {
  return !second.map && std::ranges::find(second.marks, mark) != second.marks.end();
}

/// The axis that a second one stands opposite, as the frame has it.
struct First {
  Scale scale;
  bool reversed;
  Range whole, shown;
};

First first_axis(const PanelFrame& f, bool along_x) {
  return along_x ? First{f.x_scale, f.x_reversed, f.whole_x, f.x}
                 : First{f.y_scale, f.y_reversed, f.whole_y, f.y};
}

/// The first axis' values through the map: monotone, or nothing.
std::optional<SecondScale> mapped(const SecondAxis& second, const First& first) {
  const auto value = [map = second.map, scale = first.scale, shown = first.shown](double unit) {
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
Range beside(const Axis& own, Range own_whole, const First& first) {
  if (first.shown == first.whole) return own_whole;
  const bool flipped = own.reversed != first.reversed;
  const auto at = [&](double value) {
    const double u = first.scale.unit(value, first.whole);
    return own.scale.invert(flipped ? 1 - u : u, own_whole);
  };
  const Range shown = first.shown;
  const Range r = flipped ? Range{at(shown.hi), at(shown.lo)} : Range{at(shown.lo), at(shown.hi)};
  return showable(r, own.scale) && own.scale.clamp(r) == r ? r : own_whole;
}

}  // namespace

std::optional<SecondScale> second_scale(const SecondAxis& second, bool along_x, const PanelFrame& frame) {
  const First first = first_axis(frame, along_x);
  if (second.map) return mapped(second, first);
  const std::optional<Range>& whole = along_x ? frame.whole_top : frame.whole_right;
  if (!whole) return std::nullopt;
  const Range range = beside(second.axis, *whole, first);
  return SecondScale{range, share_of(second.axis, range)};
}

PanelFrame mark_frame(const Panel& panel, int mark, const PanelFrame& frame) {
  PanelFrame own = frame;
  if (panel.top && frame.whole_top && names_mark(*panel.top, mark)) {
    const Axis& axis = panel.top->axis;
    own.x = beside(axis, *frame.whole_top, first_axis(frame, true));
    own.x_scale = axis.scale;
    own.x_reversed = axis.reversed;
  }
  if (panel.right && frame.whole_right && names_mark(*panel.right, mark)) {
    const Axis& axis = panel.right->axis;
    own.y = beside(axis, *frame.whole_right, first_axis(frame, false));
    own.y_scale = axis.scale;
    own.y_reversed = axis.reversed;
  }
  return own;
}

}  // namespace orrery::figure
