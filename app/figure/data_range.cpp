#include "app/figure/data_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace orrery::figure {

namespace {

constexpr double padding = 0.04;   // of the range, on either side
constexpr double largest = 1e300;  // beyond it, lengths overflow

/// Room about a single value.
Range around(double v, const Scale& scale) {
  if (scale.kind() == Scale::Kind::log)
    return {std::max(v, 1e-300) / scale.base(), std::max(v, 1e-300) * scale.base()};
  const Range near{v - std::abs(v) / 2, v + std::abs(v) / 2};
  return showable(near, scale) ? near : Range{v - 1, v + 1};
}

Range padded(const Cover& cover, const Scale& scale) {
  if (cover.empty()) return scale.kind() == Scale::Kind::log ? Range{1, scale.base()} : Range{0, 1};
  const Range tight{cover.lo, cover.hi};
  if (!showable(tight, scale)) return around((cover.lo + cover.hi) / 2, scale);
  const auto beyond = [&](double unit) { return std::clamp(scale.invert(unit, tight), -largest, largest); };
  return {cover.lo_pinned ? cover.lo : beyond(-padding), cover.hi_pinned ? cover.hi : beyond(1 + padding)};
}

/// From the marks that an axis is the scale of.
Range found(const Panel& panel, const PanelDigest& digest, const Scale& scale, bool along_x,
            const std::function<bool(int)>& counts) {
  Cover cover;
  for (int i = 0; i < int(panel.marks.size()); ++i)
    if (const MarkDigest& mark = digest.marks[std::size_t(i)]; counts(i))
      cover.add((along_x ? mark.x : mark.y).on(scale));
  if (cover.empty())  // words alone: about where they stand
    for (const Mark& mark : panel.marks)
      if (const auto* note = std::get_if<Note>(&mark))
        if (const double at = along_x ? note->x : note->y; at > 0 || scale.kind() != Scale::Kind::log)
          cover.add(at);
  return padded(cover, scale);
}

Range settled(const Panel& panel, const PanelDigest& digest, const Axis& axis, bool along_x,
              const std::function<bool(int)>& counts) {
  Range r = axis.range.value_or(Range{0, 0});
  if (r.lo > r.hi) std::swap(r.lo, r.hi);
  return axis.scale.clamp(showable(r, axis.scale) ? r : found(panel, digest, axis.scale, along_x, counts));
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

Range axis_range(const Panel& panel, const PanelDigest& digest, const Axis& axis, bool along_x) {
  const std::optional<SecondAxis>& second = along_x ? panel.top : panel.right;
  return settled(panel, digest, axis, along_x, [&](int mark) { return !named(second, mark); });
}
Range x_range(const Panel& panel) {
  return axis_range(panel, digest(panel), panel.x, true);
}
Range y_range(const Panel& panel) {
  return axis_range(panel, digest(panel), panel.y, false);
}
Range second_range(const Panel& panel, const SecondAxis& second, bool along_x) {
  return second_range(panel, digest(panel), second, along_x);
}
Range second_range(const Panel& panel, const PanelDigest& digest, const SecondAxis& second, bool along_x) {
  return settled(panel, digest, second.axis, along_x, [&](int mark) { return named(second, mark); });
}

// Sixteen values side by side, which the compiler turns into vectors; what is not finite counts as no value.
Range value_range(const Grid& grid) {
  constexpr std::size_t lanes = 16;
  constexpr float none = std::numeric_limits<float>::infinity();
  std::array<float, lanes> least, greatest;
  least.fill(none);
  greatest.fill(-none);
  const auto count = [&](std::size_t lane, float v) {
    const bool finite = v - v == 0;
    const float low = finite ? v : none, high = finite ? v : -none;
    least[lane] = low < least[lane] ? low : least[lane];
    greatest[lane] = high > greatest[lane] ? high : greatest[lane];
  };
  const std::vector<float>& values = grid.values;
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) count(lane, values[i + lane]);
  for (; i < values.size(); ++i) count(0, values[i]);
  const double lo = *std::ranges::min_element(least), hi = *std::ranges::max_element(greatest);
  return lo <= hi ? Range{lo, hi} : Range{0, 1};
}

}  // namespace orrery::figure
