#include "core/transformer/arithmetic.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/norm/column_sums.h"
#include "core/simd/narrow.h"
#include "core/simd/product.h"
#include "core/simd/share.h"

namespace orrery::transformer {
namespace {

/// y += aᵀ b where rows of b and y are whole vectors, one behind the other: nothing of them has to be turned or packed. So many
/// tokens of b at a time stay in the first cache; of a, a cache line's width is brought together for them, for its rows are far
/// apart, and often by a power of two, which leaves them few places in a cache.
void add_in_whole_vectors(View<const float> a, View<const float> b, View<float> y) {
  constexpr Index tokens = 64, rows = 16;
  simd::share((y.rows + rows - 1) / rows, y.size() * a.rows, [&](Index first, Index end) {
    std::array<float, tokens * rows> own;
    for (Index n = 0; n < a.rows; n += tokens) {
      const Index terms = std::min(tokens, a.rows - n);
      for (Index row = first * rows; row < std::min(end * rows, y.rows); row += rows) {
        const Index count = std::min(rows, y.rows - row);
        for (Index j = 0; j < terms; ++j)
          std::copy_n(a.row(n + j).data() + row, count, own.data() + j * rows);
        simd::add_narrow_product(
            {own.data(), 1, rows, b.row(n).data(), y.row(row).data(), count, terms, y.cols});
      }
    }
  });
}

/// to += factor · row
void add_row(double factor, std::span<const double> row, std::span<double> to) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += factor * row[j];
}

}  // namespace

template <>
void product(View<const float> a, View<const float> b, View<float> y) {
  simd::product(a, simd::Factor::of(b), {}, y);
}

template <>
void product_with_transposed(View<const float> a, View<const float> b, std::span<const float> bias,
                             View<float> y) {
  simd::product(a, simd::Factor::transposed(b), bias, y);
}

template <>
void add_transposed_product(View<const float> a, View<const float> b, View<float> y) {
  const bool whole = b.cols == simd::narrow_width(b.cols) && b.stride == b.cols && y.stride == y.cols;
  if (whole) return add_in_whole_vectors(a, b, y);
  const Matrix<float> turned = a.eigen().transpose();
  Matrix<float> own(y.rows, y.cols);
  simd::product(turned, simd::Factor::of(b), {}, own);
  add<float>(own, y);
}

template <>
void product(View<const double> a, View<const double> b, View<double> y) {
  simd::share(y.rows, y.size() * a.cols, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      std::ranges::fill(y.row(i), 0.0);
      for (Index k = 0; k < a.cols; ++k) add_row(a(i, k), b.row(k), y.row(i));
    }
  });
}

template <>
void product_with_transposed(View<const double> a, View<const double> b, std::span<const double> bias,
                             View<double> y) {
  const Matrix<double> turned_b = b.eigen().transpose();
  product<double>(a, turned_b, y);
  if (bias.empty()) return;
  for (Index i = 0; i < y.rows; ++i) add_row(1, bias, y.row(i));
}

template <>
void add_transposed_product(View<const double> a, View<const double> b, View<double> y) {
  simd::share(y.rows, y.size() * a.rows, [&](Index first, Index end) {
    for (Index j = first; j < end; ++j)
      for (Index n = 0; n < a.rows; ++n) add_row(a(n, j), b.row(n), y.row(j));
  });
}

/// y = of(a, b), number by number.
template <class T, class Of>
void each_number(View<const T> a, View<const T> b, View<T> y, Of of) {
  simd::share(y.rows, y.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const T *const one = a.row(i).data(), *const other = b.row(i).data();
      T* const result = y.row(i).data();
      for (Index j = 0; j < y.cols; ++j) result[j] = of(one[j], other[j]);
    }
  });
}

template <class T>
void scaled_sum(double alpha, View<const T> x, View<const T> b, View<T> y) {
  each_number(x, b, y, [scale = static_cast<T>(alpha)](T own, T other) { return scale * own + other; });
}

template <class T>
void multiply(View<const T> a, View<const T> b, View<T> y) {
  each_number(a, b, y, [](T one, T other) { return one * other; });
}

template <class T>
void add_column_sums(View<const T> x, std::span<T> to) {
  std::vector<T> sums(to.size());
  norm::column_sums(x.rows, std::span<T>(sums),
                    [&](Index i, Index j) { return static_cast<double>(x(i, j)); });
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += sums[j];
}

template void scaled_sum(double, View<const float>, View<const float>, View<float>);
template void scaled_sum(double, View<const double>, View<const double>, View<double>);
template void multiply(View<const float>, View<const float>, View<float>);
template void multiply(View<const double>, View<const double>, View<double>);
template void add_column_sums(View<const float>, std::span<float>);
template void add_column_sums(View<const double>, std::span<double>);

}  // namespace orrery::transformer
