#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/attention/truncation.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;
using tensor::View;

namespace {

/// A logit with its place: the better one is larger, or as large and comes earlier.
template <class T>
struct Ranked {
  T x;
  Index j;
  friend bool operator<(const Ranked& a, const Ranked& b) { return a.x < b.x || (a.x == b.x && a.j > b.j); }
};

/// Whether a NaN in the row makes all of it NaN.
template <class T>
bool nan_row(std::span<const T> x, std::span<T> y) {
  if (std::ranges::none_of(x, [](T v) { return std::isnan(v); })) return false;
  std::fill(y.begin(), y.end(), std::numeric_limits<T>::quiet_NaN());
  return true;
}

template <class T>
void rank(std::span<const T> x, std::vector<Ranked<T>>& ranked) {
  for (std::size_t j = 0; j < x.size(); ++j) ranked[j] = {x[j], static_cast<Index>(j)};
}

/// Rows over threads; each has room to rank one, and `keep(x, ranked, y)` writes it. `cost`: additions that an element is
/// worth.
template <class T>
void each_row_shared(View<const T> x, View<T> y, Index cost, auto keep) {
  if (x.empty()) return;
  simd::share(x.rows, cost * x.size(), [&](Index first, Index end) {
    std::vector<Ranked<T>> ranked(static_cast<std::size_t>(x.cols));
    for (Index i = first; i < end; ++i)
      if (!nan_row(x.row(i), y.row(i))) keep(x.row(i), ranked, y.row(i));
  });
}

/// All is cut but these.
template <class T>
void write_kept(std::span<const Ranked<T>> best, std::span<T> y) {
  std::fill(y.begin(), y.end(), -std::numeric_limits<T>::infinity());
  for (const Ranked<T>& r : best) y[static_cast<std::size_t>(r.j)] = r.x;
}

}  // namespace

template <class T>
void truncate_cpu(View<const T> x, const TopK& rule, View<T> y) {
  check_truncation(rule);
  each_row_shared(x, y, 8, [&](std::span<const T> row, std::vector<Ranked<T>>& ranked, std::span<T> out) {
    rank(row, ranked);
    const auto k = std::min(row.size(), static_cast<std::size_t>(rule.k));
    const auto first = ranked.end() - static_cast<std::ptrdiff_t>(k);
    std::nth_element(ranked.begin(), first, ranked.end());
    write_kept(std::span<const Ranked<T>>(first, ranked.end()), out);
  });
}

/// Where the kept begin, once the row is in this order: halves whose probability together may be cut are, the others looked
/// at again, as nth_element does with counts. `weight` of those cut is added from small parts, so it keeps its digits.
template <class T>
typename std::vector<Ranked<T>>::iterator cut_weight(std::vector<Ranked<T>>& ranked,
                                                     const std::vector<double>& weight, double limit) {
  const auto weight_of = [&](const Ranked<T>& r) { return weight[static_cast<std::size_t>(r.j)]; };
  auto first = ranked.begin(), last = ranked.end();
  double gone = 0;
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last);
    double half = 0;
    for (auto r = first; r != middle; ++r) half += weight_of(*r);
    if (gone + half <= limit) {
      gone += half;
      first = middle;
    } else {
      last = middle;
    }
  }
  const bool is_best = first + 1 == ranked.end();
  return !is_best && gone + weight_of(*first) <= limit ? first + 1 : first;
}

template <class T>
void truncate_cpu(View<const T> x, const TopP& rule, View<T> y) {
  check_truncation(rule);
  const double inverse = 1 / rule.temperature;
  each_row_shared(x, y, 32, [&](std::span<const T> row, std::vector<Ranked<T>>& ranked, std::span<T> out) {
    rank(row, ranked);
    if (rule.p == 1) return write_kept(std::span<const Ranked<T>>(ranked), out);
    const double largest = *std::ranges::max_element(row);
    std::vector<double> weight(row.size());
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double v = row[j];
      weight[j] = v == largest ? 1 : std::exp((v - largest) * inverse);
    }
    const double all = tensor::sum(std::span<const double>(weight), [](double v) { return v; });
    const auto kept = cut_weight(ranked, weight, may_be_cut(rule) * all);
    write_kept(std::span<const Ranked<T>>(kept, ranked.end()), out);
  });
}

template <class T>
void truncate_cpu(View<const T> x, const MinP& rule, View<T> y) {
  check_truncation(rule);
  const double least = least_difference(rule);
  each_row_shared(x, y, 2, [&](std::span<const T> row, std::vector<Ranked<T>>&, std::span<T> out) {
    const T largest = *std::ranges::max_element(row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool kept =
          row[j] == largest || static_cast<double>(row[j]) - static_cast<double>(largest) >= least;
      out[j] = kept ? row[j] : -std::numeric_limits<T>::infinity();
    }
  });
}

template void truncate_cpu(View<const float>, const TopK&, View<float>);
template void truncate_cpu(View<const double>, const TopK&, View<double>);
template void truncate_cpu(View<const float>, const TopP&, View<float>);
template void truncate_cpu(View<const double>, const TopP&, View<double>);
template void truncate_cpu(View<const float>, const MinP&, View<float>);
template void truncate_cpu(View<const double>, const MinP&, View<double>);

}  // namespace orrery::attention
