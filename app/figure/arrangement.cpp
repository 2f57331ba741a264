#include "app/figure/arrangement.h"

#include <algorithm>
#include <functional>

namespace orrery::figure {
namespace {

double weight_of(const std::vector<double>& weights, int first, int count) {
  double sum = 0;
  for (int i = first; i < first + count; ++i)
    sum += i < static_cast<int>(weights.size()) ? weights[static_cast<std::size_t>(i)] : 1;
  return sum;
}

void widen(std::vector<double>& weights, int at, double to) {
  if (at >= static_cast<int>(weights.size())) weights.resize(static_cast<std::size_t>(at) + 1, 0);
  double& own = weights[static_cast<std::size_t>(at)];
  own = std::max(own, to);
}

/// Of the columns that the figure has itself.
int own_columns(const Figure& figure) {
  int count = 1;
  for (const Panel& panel : figure.panels) count = std::max(count, panel.cell.col + panel.cell.cols);
  return count;
}

/// As the figure has them, and those of one pair one after the other.
std::vector<std::size_t> reading_order(const Figure& figure) {
  std::vector<std::size_t> order;
  const auto placed = [&](std::size_t i) { return std::ranges::find(order, i) != order.end(); };
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (placed(i)) continue;
    order.push_back(i);
    if (figure.panels[i].pair == 0) continue;
    for (std::size_t other = i + 1; other < figure.panels.size(); ++other)
      if (figure.panels[other].pair == figure.panels[i].pair) order.push_back(other);
  }
  return order;
}

}  // namespace

bool has_pairs(const Figure& figure) {
  return std::ranges::any_of(figure.panels, [](const Panel& panel) { return panel.pair != 0; });
}

Arrangement own_arrangement(const Figure& figure) {
  Arrangement own{{}, figure.row_weights, figure.col_weights};
  for (const Panel& panel : figure.panels) own.cells.push_back(panel.cell);
  return own;
}

Arrangement in_columns(const Figure& figure, int columns, int highest_rank) {
  std::vector<std::size_t> order;
  for (const std::size_t i : reading_order(figure))
    if (figure.panels[i].rank <= highest_rank) order.push_back(i);
  Arrangement made{std::vector<Cell>(figure.panels.size(), Cell{.rows = 0, .cols = 0}), {}, {}};
  const int all = own_columns(figure);
  int at = 0;  // of the cells, row by row
  for (const std::size_t panel : order) {
    const Cell own = figure.panels[panel].cell;
    const bool across =
        all > 1 && own.cols == all && !has_pairs(figure);  // as it went across the page before
    if (across) at = (at + columns - 1) / columns * columns;
    const Cell cell{.row = at / columns, .col = at % columns, .rows = 1, .cols = across ? columns : 1};
    at += cell.cols;
    made.cells[panel] = cell;
    widen(made.row_weights, cell.row, weight_of(figure.row_weights, own.row, own.rows));
    if (cell.cols == 1) widen(made.col_weights, cell.col, weight_of(figure.col_weights, own.col, own.cols));
  }
  return made;
}

std::vector<int> ranks_of(const Figure& figure) {
  std::vector<int> ranks;
  for (const Panel& panel : figure.panels) ranks.push_back(panel.rank);
  std::ranges::sort(ranks, std::greater{});
  const auto again = std::ranges::unique(ranks);
  ranks.erase(again.begin(), again.end());
  return ranks;
}

}  // namespace orrery::figure
