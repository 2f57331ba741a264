#include "app/figure/cells.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace orrery::figure {

namespace {

constexpr int most_cells = 256;  // in one direction

/// One direction of the grid: columns from the left, or rows from the top.
struct Tracks {
  std::vector<double> before, after;  ///< shared margins on either side of each track
  std::vector<double> weight, start, length;

  explicit Tracks(int count, const std::vector<double>& weights)
      : before(std::size_t(count)),
        after(before),
        weight(std::size_t(count), 1.0),
        start(before),
        length(before) {
    for (std::size_t i = 0; i < std::min(weight.size(), weights.size()); ++i)
      weight[i] = std::isfinite(weights[i]) ? std::max(weights[i], 0.0) : 1;
  }

  /// Returns whether the margins had to be squeezed.
  bool share_out(double origin, double room, double gap) {
    double fixed = gap * double(weight.size() - 1), total = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      fixed += before[i] + after[i];
      total += weight[i];
    }
    const double rest = std::max(room - fixed, 0.0);
    const double squeeze = fixed > room && fixed > 0 ? room / fixed : 1;  // a page smaller than its gaps
    double at = origin;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      start[i] = at + before[i] * squeeze;
      length[i] = total > 0 ? rest * weight[i] / total : 0;
      at = start[i] + length[i] + (after[i] + gap) * squeeze;
    }
    return squeeze < 1;
  }

  /// What track i has beyond `needed` goes to those that `take`, by their weights.
  void give_up(const std::vector<double>& needed, const std::vector<bool>& take) {
    double spare = 0, total = 0;
    std::vector<double> grown = length;
    for (std::size_t i = 0; i < length.size(); ++i) {
      if (take[i]) total += weight[i];
      grown[i] = std::min(length[i], needed[i]);
      spare += length[i] - grown[i];
    }
    if (!(spare > 0 && total > 0)) return;
    double moved = 0;
    for (std::size_t i = 0; i < length.size(); ++i) {
      if (take[i]) grown[i] += spare * weight[i] / total;
      start[i] += moved;
      moved += grown[i] - length[i];
    }
    length = std::move(grown);
  }
};

struct Stretch {
  std::size_t first, last;
};

Stretch stretch(int at, int count) {
  at = std::clamp(at, 0, most_cells - 1);
  return {std::size_t(at), std::size_t(std::clamp(at + std::max(count, 1) - 1, at, most_cells - 1))};
}

/// A row whose plots all keep a shape can be too high for the width of its columns. Its spare height goes to rows
/// in which every plot may take any; a row with both keeps what its weight gives it.
void give_spare_height(const Arrangement& arrangement, const std::vector<double>& shapes,
                       const Tracks& across, Tracks& down) {
  const std::size_t rows = down.length.size();
  std::vector<double> needed(rows, 0);
  std::vector<bool> shaped(rows, true), takes(rows, true), used(rows, false);
  for (std::size_t i = 0; i < arrangement.cells.size(); ++i) {
    const Cell& cell = arrangement.cells[i];
    if (!cell.on_page()) continue;
    const Stretch c = stretch(cell.col, cell.cols), r = stretch(cell.row, cell.rows);
    const double width = across.start[c.last] + across.length[c.last] - across.start[c.first];
    const bool alone = r.first == r.last;
    for (std::size_t row = r.first; row <= r.last; ++row) {
      used[row] = true;
      if (shapes[i] > 0 && alone)
        needed[row] = std::max(needed[row], width / shapes[i]);
      else
        shaped[row] = false;
      if (shapes[i] > 0 || !alone) takes[row] = false;
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    takes[row] = takes[row] && used[row];
    if (!shaped[row] || !used[row]) needed[row] = down.length[row];
  }
  down.give_up(needed, takes);
}

}  // namespace

Rooms plot_rooms(const Arrangement& arrangement, const Rect& area, const std::vector<Margins>& margins,
                 const std::vector<double>& shapes, double column_gap, double row_gap) {
  std::size_t columns = 1, rows = 1;
  for (const Cell& cell : arrangement.cells) {
    if (!cell.on_page()) continue;
    columns = std::max(columns, stretch(cell.col, cell.cols).last + 1);
    rows = std::max(rows, stretch(cell.row, cell.rows).last + 1);
  }
  Tracks across(int(columns), arrangement.col_weights), down(int(rows), arrangement.row_weights);
  const auto widen = [](double& margin, double needed) { margin = std::max(margin, needed); };
  for (std::size_t i = 0; i < arrangement.cells.size(); ++i) {
    const Cell& cell = arrangement.cells[i];
    if (!cell.on_page()) continue;
    const Stretch c = stretch(cell.col, cell.cols), r = stretch(cell.row, cell.rows);
    widen(across.before[c.first], margins[i].left);
    widen(across.after[c.last], margins[i].right);
    widen(down.before[r.first], margins[i].top);
    widen(down.after[r.last], margins[i].bottom);
  }
  Rooms rooms;
  rooms.squeezed = across.share_out(area.x, area.w, column_gap);
  rooms.squeezed = down.share_out(area.y, area.h, row_gap) || rooms.squeezed;
  give_spare_height(arrangement, shapes, across, down);

  for (const Cell& cell : arrangement.cells) {
    if (!cell.on_page()) {
      rooms.plots.push_back({});
      continue;
    }
    const Stretch c = stretch(cell.col, cell.cols), r = stretch(cell.row, cell.rows);
    const double x = across.start[c.first], y = down.start[r.first];
    rooms.plots.push_back({x, y, std::max(0.0, across.start[c.last] + across.length[c.last] - x),
                           std::max(0.0, down.start[r.last] + down.length[r.last] - y)});
  }
  return rooms;
}

}  // namespace orrery::figure
