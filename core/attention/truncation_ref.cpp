#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/attention/truncation.h"

namespace orrery::attention {

using tensor::Index;
using tensor::View;

namespace {

constexpr double cut = -std::numeric_limits<double>::infinity();

bool holds_nan(std::span<const double> x) {
  return std::ranges::any_of(x, [](double v) { return std::isnan(v); });
}

/// The indices by falling x, equal ones by rising index.
std::vector<std::size_t> in_order(std::span<const double> x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [x](std::size_t a, std::size_t b) { return x[a] > x[b]; });
  return order;
}

/// exp((x − m)/τ), also where both are infinite.
double against_largest(double x, double largest, double temperature) {
  return x == largest ? 1 : std::exp((x - largest) / temperature);
}

/// Writes −∞ over all but the first `count`.
void keep_first(std::span<const std::size_t> order, std::size_t count, std::span<double> y) {
  for (std::size_t i = count; i < order.size(); ++i) y[order[i]] = cut;
}

/// Every row by itself: what holds a NaN is NaN, of all others `keep` cuts.
void each_row(View<const double> x, View<double> y, auto keep) {
  for (Index i = 0; i < x.rows; ++i) {
    const std::vector<double> row(x.row(i).begin(), x.row(i).end());
    std::ranges::copy(row, y.row(i).begin());
    if (holds_nan(row))
      std::ranges::fill(y.row(i), std::numeric_limits<double>::quiet_NaN());
    else if (!row.empty())
      keep(std::span<const double>(row), y.row(i));
  }
}

}  // namespace

void truncate_ref(View<const double> x, const TopK& rule, View<double> y) {
  check_truncation(rule);
  each_row(x, y, [&](std::span<const double> row, std::span<double> out) {
    keep_first(in_order(row), std::min(row.size(), static_cast<std::size_t>(rule.k)), out);
  });
}

void truncate_ref(View<const double> x, const TopP& rule, View<double> y) {
  check_truncation(rule);
  each_row(x, y, [&](std::span<const double> row, std::span<double> out) {
    if (rule.p == 1) return;
    const std::vector<std::size_t> order = in_order(row);
    double all = 0;
    for (const double v : row) all += against_largest(v, row[order[0]], rule.temperature);
    // From the end, where they are small: what is cut keeps its digits.
    double gone = 0;
    std::size_t kept = order.size();
    while (kept > 1) {
      gone += against_largest(row[order[kept - 1]], row[order[0]], rule.temperature);
      if (gone > may_be_cut(rule) * all) break;
      --kept;
    }
    keep_first(order, kept, out);
  });
}

void truncate_ref(View<const double> x, const MinP& rule, View<double> y) {
  check_truncation(rule);
  each_row(x, y, [&](std::span<const double> row, std::span<double> out) {
    const double largest = *std::ranges::max_element(row);
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != largest && row[j] - largest < least_difference(rule)) out[j] = cut;
  });
}

}  // namespace orrery::attention
