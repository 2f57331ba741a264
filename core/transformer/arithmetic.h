// The products and sums that every piece of a model is made of. In float they go through simd::product; in double they are
// plain loops in textbook order, the reference. Either way the number of threads changes no bit.
//
// Shapes are the caller's promise, and y is no part of an input unless it says so.
#pragma once

#include <span>

#include "core/transformer/layout.h"

namespace orrery::transformer {

/// y = a b
template <class T>
void product(View<const T> a, View<const T> b, View<T> y);

/// y = a bᵀ + bias, the same for every row; an empty bias is none.
template <class T>
void product_with_transposed(View<const T> a, View<const T> b, std::span<const T> bias, View<T> y);

/// y += aᵀ b
template <class T>
void add_transposed_product(View<const T> a, View<const T> b, View<T> y);

/// y = αx + b; y may be x or b.
template <class T>
void scaled_sum(double alpha, View<const T> x, View<const T> b, View<T> y);

/// to += x
template <class T>
void add(View<const T> x, View<T> to) {
  scaled_sum<T>(1, x, to, to);
}

/// y = a ⊙ b; y may be either.
template <class T>
void multiply(View<const T> a, View<const T> b, View<T> y);

/// to_j += Σ_i x_ij, summed in double from the first row to the last.
template <class T>
void add_column_sums(View<const T> x, std::span<T> to);

/// `m` with room for rows × cols, whatever they hold: what one step has needed, the next one finds.
template <class T>
View<T> room(Matrix<T>& m, Index rows, Index cols) {
  m.resize(rows, cols);
  return m;
}

/// The rows of a matrix cut into one head each: row n of N becomes rows n·heads … of N·heads.
template <class T>
View<T> by_head(View<T> x, Index heads) {
  return {x.data, x.rows * heads, x.cols / heads};
}

/// Of (sequences · length) × (heads · width): one head of one sequence.
template <class T>
View<T> head_of(View<T> x, Index sequence, Index length, Index head, Index width) {
  return {x.data + sequence * length * x.stride + head * width, length, width, x.stride};
}

}  // namespace orrery::transformer
