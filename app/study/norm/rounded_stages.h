// RMSNorm of one row, stage by stage as rms_norm_staged rounds it, and where that goes wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
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

/// For each width, of rows whose components are all of one size, where there is such a size: the smallest whose squares
/// overflow when they are summed left to right ("overflow"), that of an exact sum ("overflow_of_exact_sum"), the size at which
/// epsilon is as large as the mean square ("epsilon"), and the smallest whose squares are not 0 ("vanish"). Column "size".
std::vector<Series> safe_sizes(const std::vector<double>& widths, double eps, const tensor::Precision&);

/// How far LayerNorm's result is off (root mean square; it should be of size 1) by the mean over the deviation, where it is
/// finite: "two_passes", "welford", "one_pass", column "RMS error". The row is rounded to the format first, so that the
/// arithmetic alone is seen.
std::vector<Series> variance_errors(tensor::Index width, std::uint64_t seed, tensor::Format);

/// f(x) for every x for which that is finite.
Series finite_series(std::string name, std::string x_name, const std::vector<double>& x, std::string column,
                     const std::function<double(double)>& f);

}  // namespace orrery::study
