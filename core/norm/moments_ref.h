// Mean and variance for the reference twins: plain loops over what at(0) … at(count − 1) give.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/norm/double_range.h"
#include "core/tensor/view.h"

namespace orrery::norm {

/// Of the values times a power of two, which is 1 unless their squares leave double.
struct MomentsRef {
  double scale = 1;
  double mean = 0, rest = 0;  ///< the mean is rounded; what that leaves in the centred values, in the mean
  double squares = 0;         ///< of the centred values

  /// Without the rounding of the mean: 0 for every value of a constant row.
  double centred(double value) const { return (value * scale - mean) - rest; }
};

/// `root_eps`: what is added to the deviation is of this size.
template <class At>
MomentsRef moments_ref(tensor::Index count, double root_eps, At at) {
  double largest = root_eps;
  for (tensor::Index k = 0; k < count; ++k) largest = std::max(largest, std::abs(at(k)));
  MomentsRef m{.scale = scale_for_squares(largest)};
  const auto n = static_cast<double>(count);

  for (tensor::Index k = 0; k < count; ++k) m.mean += at(k) * m.scale;
  m.mean /= n;
  double left = 0;
  for (tensor::Index k = 0; k < count; ++k) left += at(k) * m.scale - m.mean;
  m.rest = left / n;
  for (tensor::Index k = 0; k < count; ++k) m.squares += m.centred(at(k)) * m.centred(at(k));
  return m;
}

}  // namespace orrery::norm
