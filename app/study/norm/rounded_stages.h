// RMSNorm of one row, stage by stage as rms_norm_staged rounds it, and where that goes wrong.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "app/study/kit/series.h"
#include "app/study/twin.h"

namespace orrery::study {

struct StagedRow {
  twin::Matrix x, y;  ///< as given, and the result, both rounded to storage
  double largest_square = 0, sum = 0, mean_square = 0, under_root = 0, inverse_root = 0;
  double eps = 0;            ///< as the format of accumulation has it
  std::vector<double> sums;  ///< after so many squares, from 1 on
};

/// `gain` may be empty. In f64 and f64 all of it is exact but for double's own rounding.
StagedRow staged_rms_norm(const twin::Matrix& x, const std::vector<double>& gain, const norm::RmsNormParams&,
                          const tensor::Precision&);

/// "frontier": for each width, of rows whose components are all of one size: the smallest size whose squares overflow when
/// they are summed left to right, that of an exact sum, the largest size whose squares are all 0, and the size at which
/// epsilon is as large as the mean square.
Series safe_sizes(const std::vector<double>& widths, double eps, const tensor::Precision&);

/// "estimators": how far LayerNorm's result is off (root mean square; it should be of size 1) by the mean over the deviation;
/// NaN where the variance came out as 0 or below. The row is rounded to the format first, so that the arithmetic alone is seen.
Series variance_errors(tensor::Index width, std::uint64_t seed, tensor::Format);

}  // namespace orrery::study
