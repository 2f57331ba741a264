// How far two results of one study are apart: what another device, or another build, makes of the same settings.
#pragma once

#include <string>

#include "app/study/study.h"

namespace orrery::study {

struct ResultDifference {
  double absolute = 0;  ///< the largest |y − r|
  /// The largest |y − r| over the largest |r| of its column or mark; of the whole result, where r is zero but for rounding.
  double relative = 0;
  std::string where;  ///< of the relative one: "score: cosine", "panel 2"; empty where all is equal
  std::string
      unlike;  ///< what could not be compared, since the results have different shapes; empty: nothing
};

/// Of all columns of all tables and all values in figures; a sampled map is asked coarsely. NaN beside a number is
/// infinitely far from it.
ResultDifference result_difference(const StudyResult& result, const StudyResult& reference);

}  // namespace orrery::study
