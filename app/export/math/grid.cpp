// Rows and columns: matrices, cases, aligned equations, \\substack.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {
namespace {

struct Line {
  double ascent = 0, descent = 0;
  double baseline = 0;  ///< below the grid's top
  std::size_t first = 0;
};

/// How much of the free width stands before a cell.
double share_before(char alignment) {
  return alignment == 'l' ? 0 : alignment == 'r' ? 1 : 0.5;
}

}  // namespace

Box Setter::grid(const Node& node, Style style) const {
  const Grid& shape = *node.grid;
  const double size = em(style);
  const Style cell_style = Style{style.level, false}.at_most(shape.level);

  std::vector<Box> cells;
  cells.reserve(node.parts.size());
  for (const Node& part : node.parts) cells.push_back(set(part, cell_style));

  // Down: each line below the one before it.
  std::vector<Line> lines;
  std::vector<double> widths;
  double y = 0;
  std::size_t next = 0;
  const double rule = constants().fraction_rule_thickness * size_;
  Box result;
  std::vector<double> rules;
  for (const Grid::Row& row : shape.rows) {
    Line line{shape.row_ascent * size, shape.row_descent * size, 0, next};
    for (int column = 0; column < row.cells; ++column, ++next) {
      line.ascent = std::max(line.ascent, cells[next].ascent);
      line.descent = std::max(line.descent, cells[next].descent);
      if (widths.size() <= static_cast<std::size_t>(column)) widths.push_back(0);
      widths[static_cast<std::size_t>(column)] =
          std::max(widths[static_cast<std::size_t>(column)], cells[next].width);
    }
    for (int k = 0; k < row.rules; ++k) {
      rules.push_back(y + 2 * k * rule);
    }
    const double closest = y + shape.between * size * (lines.empty() ? 0 : 1) + line.ascent;
    line.baseline =
        lines.empty() ? y + line.ascent : std::max(closest, lines.back().baseline + shape.baselines * size);
    y = line.baseline + line.descent + row.gap * size_;
    lines.push_back(line);
  }
  for (int k = 0; k < shape.rules_below; ++k) rules.push_back(y + 2 * k * rule);

  // Across.
  std::vector<double> lefts;
  double x = shape.margin * size;
  std::vector<double> bars;
  for (std::size_t column = 0; column <= widths.size(); ++column) {
    const double gap = column == 0 || column == widths.size() ? 0 : shape.gaps[(column + 1) % 2] * size;
    for (const int bar : shape.bars) {
      if (bar == static_cast<int>(column))
        bars.push_back(column == 0 ? 0 : column == widths.size() ? x + shape.margin * size : x + gap / 2);
    }
    x += gap;
    if (column == widths.size()) break;
    lefts.push_back(x);
    x += widths[column];
  }
  result.width = x + shape.margin * size;

  // The middle comes to the axis.
  const double top = -(y / 2 + constants().axis_height * em(style));
  for (std::size_t r = 0; r < lines.size(); ++r) {
    for (int column = 0; column < shape.rows[r].cells; ++column) {
      const Box& cell = cells[lines[r].first + static_cast<std::size_t>(column)];
      const char alignment = shape.columns[static_cast<std::size_t>(column) % shape.columns.size()];
      const double free = widths[static_cast<std::size_t>(column)] - cell.width;
      result.place(cell, lefts[static_cast<std::size_t>(column)] + share_before(alignment) * free,
                   top + lines[r].baseline);
    }
  }
  for (const double at : rules) result.rules.push_back({0, top + at, result.width, rule});
  for (const double at : bars) result.rules.push_back({at - rule / 2, top, rule, y});
  result.ascent = -top;
  result.descent = top + y;
  result.accent_at = result.width / 2;
  return result;
}

}  // namespace orrery::exporter::math
