// A row at every size, normalised with epsilon in its places and in formats.
#pragma once

#include <array>
#include <vector>

#include "app/study/kit/series.h"
#include "app/study/twin.h"
#include "core/norm/rms_norm.h"
#include "core/parameter/settings.h"
#include "core/tensor/format.h"

namespace orrery::study::norm_eps {

using norm::EpsPlace;
using twin::Matrix;

inline constexpr double least_size = 1e-8, most_size = 1e4;
inline constexpr std::array formats{tensor::Format::f32, tensor::Format::bf16, tensor::Format::f16};

struct Asked {
  double size, eps;
  EpsPlace place;
  Matrix row;  ///< of root mean square 1 and mean 0
};

Asked asked_of(const parameter::Settings&);
/// The row at each of these sizes, one below the other.
Matrix rows_of(const Asked&, const std::vector<double>& sizes);

double root_mean_square(const Matrix&);
Matrix normed(const Run&, const Matrix& x, double eps, EpsPlace);
/// F.normalize and ScaleNorm: the norm is at least epsilon. Of radius √D, as RMSNorm's.
Matrix clamped(const Run&, const Matrix& x, double eps);
/// How large the row comes out that was of this size.
double kept_at(const Run&, const Asked&, double size, double eps, EpsPlace);
/// Squares, sum, root and epsilon in the format, arrays in f32: so that arithmetic alone is seen. What is not finite is NaN.
double kept_in(tensor::Format, const Asked&, double size);

/// Columns "inside", "outside" and "at least" by size.
Series kept_of(const Run&, const Asked&);
/// 1 − the size kept, of the formula: what is measured has no digits left of it where little is missing.
Series missing_of(const Asked&);
/// A column for each format.
Series formats_of(const Asked&);

}  // namespace orrery::study::norm_eps
