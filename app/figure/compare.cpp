#include "app/figure/compare.h"

#include <algorithm>
#include <cmath>

#include "app/figure/compare_pairs.h"

namespace orrery::figure {

namespace {

constexpr double widest_aspect = 3.6, least_aspect = 0.8, most_aspect = 1.7;

/// The grids of both, one beside the other, as the tracks across them: the edges of A's rows and those of B's cut the
/// joined grid, and a panel spans what lies between its own.
struct Cut {
  std::vector<double> weights;
  std::vector<int> of_a, of_b;  ///< by the number of an edge: its number in the joined grid
};

std::vector<double> edges(const std::vector<double>& weights, int count) {
  std::vector<double> at{0};
  for (std::size_t i = 0; i < std::size_t(count); ++i)
    at.push_back(at.back() + (i < weights.size() ? std::max(weights[i], 1e-6) : 1.0));
  const double all = at.back();
  for (double& edge : at) edge /= all;
  return at;
}

Cut cut(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  const auto same = [](double p, double q) { return std::abs(p - q) < 1e-9; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  Cut out;
  for (std::size_t i = 1; i < all.size(); ++i) out.weights.push_back(all[i] - all[i - 1]);
  const auto places = [&](const std::vector<double>& own) {
    std::vector<int> at;
    for (const double edge : own) at.push_back(int(std::ranges::lower_bound(all, edge - 1e-9) - all.begin()));
    return at;
  };
  out.of_a = places(a);
  out.of_b = places(b);
  return out;
}

void span(int& first, int& count, const std::vector<int>& edge) {
  const int from = edge[std::size_t(first)], to = edge[std::size_t(first + count)];
  first = from;
  count = to - from;
}

/// The weights of both sides one after the other, each side as much as the other.
std::vector<double> in_line(const std::vector<double>& edges_a, const std::vector<double>& edges_b) {
  std::vector<double> weights;
  for (const auto* side : {&edges_a, &edges_b})
    for (std::size_t i = 1; i < side->size(); ++i) weights.push_back((*side)[i] - (*side)[i - 1]);
  return weights;
}

/// A left of B, or above it where both are wide.
void place(const Figure& a, const Figure& b, Figure& joined) {
  const auto rows_a = edges(a.row_weights, row_count(a)), rows_b = edges(b.row_weights, row_count(b)),
             cols_a = edges(a.col_weights, column_count(a)), cols_b = edges(b.col_weights, column_count(b));
  const bool stacked = a.aspect + b.aspect > widest_aspect;
  const Cut across = stacked ? cut(cols_a, cols_b) : cut(rows_a, rows_b);
  const std::vector<double> along = stacked ? in_line(rows_a, rows_b) : in_line(cols_a, cols_b);
  joined.row_weights = stacked ? along : across.weights;
  joined.col_weights = stacked ? across.weights : along;
  for (std::size_t i = 0; i < joined.panels.size(); ++i) {
    const bool of_a = i < a.panels.size();
    Cell& cell = joined.panels[i].cell;
    const auto& edge = of_a ? across.of_a : across.of_b;
    if (stacked) {
      span(cell.col, cell.cols, edge);
      cell.row += of_a ? 0 : row_count(a);
    } else {
      span(cell.row, cell.rows, edge);
      cell.col += of_a ? 0 : column_count(a);
    }
  }
  const double aspect = stacked ? 1 / (1 / a.aspect + 1 / b.aspect) : a.aspect + b.aspect;
  joined.aspect = std::clamp(aspect, least_aspect, most_aspect);
}

/// What a legend of A names is A's: a legend of B names B's alone, and stands above none of A's panels.
void keep_series_apart(const Figure& a, Panel& of_b) {
  int highest = 0;
  for (const Panel& panel : a.panels) highest = std::max(highest, panel.series_group);
  if (of_b.series_group != 0) of_b.series_group += highest;
}

Comparison apart(const Figure& a, const Figure& b, const SideWords& words) {
  Comparison out = side_by_side(a, b, words);
  out.remarks.push_back("A and B have different panels, and stand side by side");
  return out;
}

}  // namespace

Comparison side_by_side(const Figure& a, const Figure& b, const SideWords& words) {
  Comparison out;
  Figure& joined = out.figure;
  join_words(a, b, words, joined);
  joined.panels = a.panels;
  joined.panels.insert(joined.panels.end(), b.panels.begin(), b.panels.end());
  const std::size_t first_of_b = a.panels.size();
  Groups groups(a, b);
  const bool paired = same_grid(a, b);
  for (std::size_t i = 0; i < joined.panels.size(); ++i) {
    Panel& panel = joined.panels[i];
    const bool of_a = i < first_of_b, first = i == 0 || i == first_of_b;
    panel.title = side_title(of_a ? words.a : words.b,
                             !first ? ""
                             : of_a ? words.a_own
                                    : words.b_own,
                             panel.title);
    if (!of_a) keep_series_apart(a, panel);
    if (of_a)
      panel.handles.clear();
    else if (paired)
      groups.join(joined.panels[i - first_of_b], panel);
    else
      groups.move_beyond_a(panel);
  }
  place(a, b, joined);
  return out;
}

Comparison overlaid(const Figure& a, const Figure& b, const SideWords& words) {
  if (!same_grid(a, b)) return apart(a, b, words);
  Comparison merged = merge_panels(a, b, words, overlay);
  say_sides(merged.figure, words);
  return merged;
}

Comparison difference(const Figure& a, const Figure& b, const SideWords& words) {
  return same_grid(a, b) ? merge_panels(a, b, words, subtract) : apart(a, b, words);
}

Comparison compare(const Figure& a, const Figure& b, CompareMode mode, const SideWords& words) {
  switch (mode) {
    case CompareMode::overlay:
      return overlaid(a, b, words);
    case CompareMode::difference:
      return difference(a, b, words);
    case CompareMode::side_by_side:
      break;
  }
  return side_by_side(a, b, words);
}

}  // namespace orrery::figure
