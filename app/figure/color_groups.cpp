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

bool share_rows(const Cell& a, const Cell& b) {
  return a.row < b.row + b.rows && b.row < a.row + a.rows;
}

/// The panels of a group along which its bar can stand: all of them, or those in the rows of its carrier.
std::vector<int> beside(const ColorGroup& group, const std::vector<Cell>& cells) {
  const Cell& carrier = cells[std::size_t(group.bar)];
  const int right = carrier.col + carrier.cols;
  int first = carrier.row, last = carrier.row;
  for (const int i : group.panels) {
    first = std::min(first, cells[std::size_t(i)].row);
    last = std::max(last, cells[std::size_t(i)].row + cells[std::size_t(i)].rows);
  }
  const Cell strip{.row = first, .col = carrier.col, .rows = last - first, .cols = carrier.cols};
  const auto stranger = [&](int i) {
    const Cell& cell = cells[std::size_t(i)];
    return cell.on_page() && cell.col < right && cell.col + cell.cols >= right && share_rows(cell, strip) &&
           std::ranges::find(group.panels, i) == group.panels.end();
  };
  bool in_the_way = false;
  for (int i = 0; i < int(cells.size()); ++i) in_the_way = in_the_way || stranger(i);
  if (!in_the_way) return group.panels;
  std::vector<int> own;
  for (const int i : group.panels)
    if (cells[std::size_t(i)].row >= carrier.row &&
        cells[std::size_t(i)].row + cells[std::size_t(i)].rows <= carrier.row + carrier.rows)
      own.push_back(i);
  return own;
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
  for (auto& [number, group] : groups)
    if (group.bar >= 0) group.beside = beside(group, arrangement.cells);
  return groups;
}

std::map<int, ColorGroup> color_groups(const Figure& figure) {
  return color_groups(figure, digest(figure), own_arrangement(figure));
}

}  // namespace orrery::figure
