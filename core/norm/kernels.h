// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

#include "core/tensor/view.h"

namespace orrery::norm {

/// `count` rows of `cols` floats, from one row to the next x_stride and y_stride. Streamed: see core/simd/share.h.
struct FloatRows {
  const float* x;
  std::size_t x_stride;
  float* y;
  std::size_t y_stride;
  std::size_t count, cols;
  bool streamed;
};

/// Rows `first` … `end` of x and y.
inline FloatRows float_rows(tensor::View<const float> x, tensor::View<float> y, tensor::Index first,
                            tensor::Index end, bool streamed) {
  const auto size = [](tensor::Index n) { return static_cast<std::size_t>(n); };
  return {x.data + first * x.stride,
          size(x.stride),
          y.data + first * y.stride,
          size(y.stride),
          size(end - first),
          size(x.cols),
          streamed};
}

// The norms stop before the first row whose squares leave float, or that is not finite, and return how many rows are done.

/// weight, bias: `cols` floats each, or both nullptr for 1 and 0.
std::size_t layer_norm_rows(const FloatRows&, const float* weight, const float* bias, double eps);

/// eps is added to the mean square, or to its root where `outside`; gain, bias: `cols` floats, or nullptr for 1 and none; no
/// bias without a gain.
std::size_t rms_norm_rows(const FloatRows&, const float* gain, const float* bias, double eps, bool outside);

/// One gain for all columns; eps: the least norm. Stops also where gain/norm leaves the normal floats.
std::size_t scale_norm_rows(const FloatRows&, double gain, double eps);

/// Of each column, from its first row on: the mean, and the sum of squares about it.
struct ColumnMoments {
  double *mean, *squares;
};
/// In double, of x alone.
void column_moments(const FloatRows&, const ColumnMoments&);

/// y = (x − mean) scale + shift, a number of each for every column; in double, rounded once.
struct ColumnLine {
  const double *mean, *scale, *shift;
};
/// Streamed, every row of y starts on a cache line.
void standardise_columns(const FloatRows&, const ColumnLine&);

/// Every row; no value is too large or too small.
void dyt_rows(const FloatRows&, const float* weight, const float* bias, float alpha);

}  // namespace orrery::norm
