// An n-dimensional array whose number format is known only at run time: what a file holds and what an op is applied to.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/format.h"
#include "core/tensor/values.h"
#include "core/tensor/view.h"

namespace orrery::tensor {

/// Row-major values of one format. The format says what the values are rounded to; they are kept in float or in double
/// and read as either, so that no reader needs sixteen overloads.
struct Array {
  Format format = Format::f64;
  std::vector<Index> shape;  ///< empty: a scalar
  Values values;             ///< as many as the product of the shape

  Index size() const { return static_cast<Index>(values.size()); }
  /// The last dimension (1 for a scalar), and the product of all the others: how row-wise ops see the array.
  Index cols() const;
  Index rows() const;
  /// A copy in the scalar of a twin; const, for what is written into a copy would be lost.
  template <class T = double>
  const Matrix<T> matrix() const {  // NOLINT(readability-const-return-type)
    return values.visit([&]<class Kept>(std::span<const Kept> kept) -> Matrix<T> {
      return View<const Kept>(kept.data(), rows(), cols()).eigen().template cast<T>();
    });
  }

  static Array zeros(Format, std::vector<Index> shape);
  static Array from(View<const double>, Format);
  static Array from(View<const float>, Format = Format::f32);
};

/// "32×128"; "scalar" for an empty shape.
std::string shape_text(const std::vector<Index>& shape);
/// "[3, 17]"; of no axis "[]".
std::string place_text(const std::vector<Index>& place);

}  // namespace orrery::tensor
