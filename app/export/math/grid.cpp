// Rows and columns: matrices, cases, aligned equations, \\substack.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {
namespace {

struct Line {
  double ascent = 0, descent = 0;
  double baseline = 0;    ///< below the grid's top
  std::size_t first = 0;  ///< of its cells
};

/// Where everything in a grid stands, from its upper left corner.
struct Plan {
  std::vector<Line> lines;
  std::vector<double> lefts, widths;     ///< of the columns
  std::vector<double> levels, uprights;  ///< of the rules
  double width = 0, height = 0;
};

void plan_columns(const Grid& shape, const std::vector<Box>& cells, double em, Plan& plan) {
  std::size_t next = 0;
  for (const Grid::Row& row : shape.rows) {
    if (plan.widths.size() < row.cells) plan.widths.resize(row.cells);
    for (std::size_t column = 0; column < row.cells; ++column, ++next)
      plan.widths[column] = std::max(plan.widths[column], cells[next].width);
  }
  const std::size_t columns = plan.widths.size();
  const double margin = shape.margin * em;
  double x = margin;
  for (std::size_t column = 0; column < columns; ++column) {
    if (column > 0) x += shape.gaps[(column + 1) % 2] * em;
    plan.lefts.push_back(x);
    x += plan.widths[column];
  }
  plan.width = x + margin;
  for (const std::size_t bar : shape.bars) {
    if (bar == 0 || bar >= columns) {
      plan.uprights.push_back(bar == 0 ? 0 : plan.width);
    } else {
      plan.uprights.push_back((plan.lefts[bar - 1] + plan.widths[bar - 1] + plan.lefts[bar]) / 2);
    }
  }
}

/// Each line below the one before it. `size` is the formula's, `em` the grid's.
void plan_lines(const Grid& shape, const std::vector<Box>& cells, double em, double size, double rule,
                Plan& plan) {
  double y = 0;
  std::size_t next = 0;
  const auto add_rules = [&](int count) {
    for (int k = 0; k < count; ++k) plan.levels.push_back(y + 2 * k * rule);
  };
  for (const Grid::Row& row : shape.rows) {
    add_rules(row.rules);
    Line line{shape.row_ascent * em, shape.row_descent * em, 0, next};
    for (const std::size_t end = next + row.cells; next < end; ++next) {
      line.ascent = std::max(line.ascent, cells[next].ascent);
      line.descent = std::max(line.descent, cells[next].descent);
    }
    line.baseline = y + line.ascent;
    if (!plan.lines.empty()) {
      line.baseline =
          std::max(line.baseline + shape.between * em, plan.lines.back().baseline + shape.baselines * em);
    }
    y = line.baseline + line.descent + row.gap * size;
    plan.lines.push_back(line);
  }
  add_rules(shape.rules_below);
  plan.height = y;
}

/// How much of the free width stands before a cell.
double share_before(char alignment) {
  return alignment == 'l' ? 0 : alignment == 'r' ? 1 : 0.5;
}

}  // namespace

Box Setter::grid(const Node& node, Style style) const {
  const Grid& shape = *node.grid;
  const double rule = constants().fraction_rule_thickness * size_;
  const Style cell_style = Style{style.level, false}.at_most(shape.level);
  std::vector<Box> cells;
  cells.reserve(node.parts.size());
  for (const Node& part : node.parts) cells.push_back(set(part, cell_style));
  Plan plan;
  plan_columns(shape, cells, em(style), plan);
  plan_lines(shape, cells, em(style), size_, rule, plan);

  // The middle comes to the axis.
  const double top = -(plan.height / 2 + constants().axis_height * em(style));
  Box result;
  for (std::size_t r = 0; r < plan.lines.size(); ++r) {
    for (std::size_t column = 0; column < shape.rows[r].cells; ++column) {
      const Box& cell = cells[plan.lines[r].first + column];
      const double free = plan.widths[column] - cell.width;
      const double before = share_before(shape.columns[column % shape.columns.size()]) * free;
      result.place(cell, plan.lefts[column] + before, top + plan.lines[r].baseline);
    }
  }
  for (const double at : plan.levels) result.rules.push_back({0, top + at, plan.width, rule});
  for (const double at : plan.uprights) result.rules.push_back({at - rule / 2, top, rule, plan.height});
  result.width = plan.width;
  result.ascent = -top;
  result.descent = top + plan.height;
  result.accent_at = result.width / 2;
  return result;
}

}  // namespace orrery::exporter::math
