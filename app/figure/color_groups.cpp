#include "app/figure/color_groups.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/figure/color_scales.h"

namespace orrery::figure {

namespace {

Range own_range(const MarkDigest& mark, const ColorScale& scale) {
  if (scale.range) return *scale.range;
  const Range r = mark.values.value_or(Range{0, 1});
  if (scale.map != ColorMap::diverging) return r;
  const double reach = std::max(std::abs(r.lo - scale.centre), std::abs(r.hi - scale.centre));
  return {scale.centre - reach, scale.centre + reach};
}

/// The further right, then the further up, the better a bar stands there.
auto rank(const Cell& cell) {
  return std::tuple(cell.col + cell.cols, -cell.row);
}

}  // namespace

std::map<int, ColorGroup> color_groups(const Figure& figure, const Digest& digest,
                                       const Arrangement& arrangement) {
  std::map<int, ColorGroup> groups;
  for (int i = 0; i < int(figure.panels.size()); ++i) {
    const std::vector<Mark>& marks = figure.panels[std::size_t(i)].marks;
    for (std::size_t m = 0; m < marks.size(); ++m) {
      const Mark& mark = marks[m];
      const ColorScale* scale = color_scale(mark);
      if (!scale || scale->group == 0) continue;
      const Range range = own_range(digest.panels[std::size_t(i)].marks[m], *scale);
      ColorGroup& group = groups.emplace(scale->group, ColorGroup{range, {}, -1}).first->second;
      group.range = {std::min(group.range.lo, range.lo), std::max(group.range.hi, range.hi)};
      group.wanted = group.wanted || wants_bar(mark);
      const Cell& cell = arrangement.cells[std::size_t(i)];
      if (!cell.on_page()) continue;
      if (group.panels.empty() || group.panels.back() != i) group.panels.push_back(i);
      if (group.bar < 0 || rank(cell) > rank(arrangement.cells[std::size_t(group.bar)])) group.bar = i;
    }
  }
  return groups;
}

std::map<int, ColorGroup> color_groups(const Figure& figure) {
  return color_groups(figure, digest(figure), own_arrangement(figure));
}

}  // namespace orrery::figure
