#include "app/figure/color_groups.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/figure/color_scales.h"
#include "app/figure/field.h"

namespace orrery::figure {

namespace {

Range own_range(const Mark& mark, const ColorScale& scale) {
  if (scale.range) return *scale.range;
  const Range r = std::holds_alternative<Heatmap>(mark) ? field_range(field_of(std::get<Heatmap>(mark)))
                                                        : field_range(field_of(std::get<Contours>(mark)));
  if (scale.map != ColorMap::diverging) return r;
  const double reach = std::max(std::abs(r.lo - scale.centre), std::abs(r.hi - scale.centre));
  return {scale.centre - reach, scale.centre + reach};
}

/// The further right, then the further up, the better a bar stands there.
auto rank(const Cell& cell) {
  return std::tuple(cell.col + cell.cols, -cell.row);
}

}  // namespace

std::map<int, ColorGroup> color_groups(const Figure& figure) {
  std::map<int, ColorGroup> groups;
  for (int i = 0; i < int(figure.panels.size()); ++i)
    for (const Mark& mark : figure.panels[std::size_t(i)].marks) {
      const ColorScale* scale = color_scale(mark);
      if (!scale || scale->group == 0) continue;
      const Range range = own_range(mark, *scale);
      ColorGroup& group = groups.emplace(scale->group, ColorGroup{range, {}, -1}).first->second;
      group.range = {std::min(group.range.lo, range.lo), std::max(group.range.hi, range.hi)};
      group.wanted = group.wanted || wants_bar(mark);
      if (group.panels.empty() || group.panels.back() != i) group.panels.push_back(i);
      const auto here = rank(figure.panels[std::size_t(i)].cell);
      if (group.bar < 0 || here > rank(figure.panels[std::size_t(group.bar)].cell)) group.bar = i;
    }
  return groups;
}

}  // namespace orrery::figure
