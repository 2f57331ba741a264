// A matrix seen, not owned: row-major, a token is a row. The one argument type of all ops.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <type_traits>

namespace orrery::tensor {

using Index = std::ptrdiff_t;

/// An owning row-major matrix.
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// rows × cols values, `stride` values from the start of one row to the start of the next.
/// Whoever makes the view keeps the memory alive; a view is copied freely.
template <class T>
struct View {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  View() = default;
  View(const View&) = default;
  View& operator=(const View&) = default;
  View(T* d, Index r, Index c) : data(d), rows(r), cols(c), stride(c) {}
  View(T* d, Index r, Index c, Index s) : data(d), rows(r), cols(c), stride(s) {}
  /// Any owning matrix of the right scalar; a const view may be taken of a mutable one.
  template <class M>
  requires std::is_same_v<M, Matrix<std::remove_const_t<T>>> View(M& m)
      : View(m.data(), m.rows(), m.cols()) {}  // NOLINT(google-explicit-constructor)
  template <class M>
  requires(std::is_const_v<T>&& std::is_same_v<M, Matrix<std::remove_const_t<T>>>) View(const M& m)
      : View(m.data(), m.rows(), m.cols()) {}  // NOLINT(google-explicit-constructor)
  /// A template, so that it never stands in the place of the copy constructor.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<U, std::remove_const_t<T>>) View(const View<U>& v)
      : View(v.data, v.rows, v.cols, v.stride) {}  // NOLINT(google-explicit-constructor)

  bool empty() const { return rows == 0 || cols == 0; }
  Index size() const { return rows * cols; }
  std::span<T> row(Index i) const { return {data + i * stride, static_cast<std::size_t>(cols)}; }
  T& operator()(Index i, Index j) const { return data[i * stride + j]; }

  using Scalar = std::remove_const_t<T>;
  using EigenMap = Eigen::Map<std::conditional_t<std::is_const_v<T>, const Matrix<Scalar>, Matrix<Scalar>>, 0,
                              Eigen::OuterStride<>>;
  EigenMap eigen() const { return EigenMap(data, rows, cols, Eigen::OuterStride<>(stride)); }
};

}  // namespace orrery::tensor
