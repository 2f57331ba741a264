#include "app/figure/steady.h"

#include <algorithm>
#include <optional>
#include <string>

#include "app/figure/color_scales.h"
#include "app/figure/data_range.h"

namespace orrery::figure {
namespace {

Range joined(Range a, Range b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

void share_axis(std::vector<Figure>& figures, std::size_t panel, Axis Panel::*axis,
                Range (*range_of)(const Panel&)) {
  const Scale scale = (figures.front().panels[panel].*axis).scale;
  std::optional<Range> all;
  for (const Figure& f : figures) {
    const Panel& p = f.panels[panel];
    if (!((p.*axis).scale == scale)) return;
    const Range own = range_of(p);
    all = all ? joined(*all, own) : own;
  }
  for (Figure& f : figures) (f.panels[panel].*axis).range = all;
}

void share_colors(std::vector<Figure>& figures, std::size_t panel, std::size_t mark) {
  std::optional<Range> all;
  std::string label;  // of the one that reaches highest: it may say where the colours end
  for (const Figure& f : figures) {
    const Mark& m = f.panels[panel].marks[mark];
    const ColorScale* scale = color_scale(m);
    if (!scale) return;
    const Range own = value_colors(m, std::nullopt, print_theme()).range();
    if (!all || own.hi > all->hi) label = scale->label;
    all = all ? joined(*all, own) : own;
  }
  for (Figure& f : figures) {
    ColorScale& scale = *color_scale(f.panels[panel].marks[mark]);
    scale.range = all;
    scale.label = label;
  }
}

}  // namespace

void share_ranges(std::vector<Figure>& figures) {
  if (figures.empty()) return;
  const auto same = [&](auto count) {
    return std::ranges::all_of(figures, [&](const Figure& f) { return count(f) == count(figures.front()); });
  };
  if (!same([](const Figure& f) { return f.panels.size(); })) return;
  for (std::size_t i = 0; i < figures.front().panels.size(); ++i) {
    share_axis(figures, i, &Panel::x, x_range);
    share_axis(figures, i, &Panel::y, y_range);
    if (!same([i](const Figure& f) { return f.panels[i].marks.size(); })) continue;
    for (std::size_t m = 0; m < figures.front().panels[i].marks.size(); ++m) share_colors(figures, i, m);
  }
}

}  // namespace orrery::figure
