// What numerics/twins draws of the use of a bound: error against bound, how often each share occurs, row by row.
#pragma once

#include "app/study/kit.h"
#include "app/study/numerics/twin_use.h"

namespace orrery::study {

/// Of elements that are off, and of numbers only: no log axis has a 0.
struct TwinSeries {
  Series by_bound;             ///< over the bound, of elements whose bounds lie within an eighth of a decade
  Series rows;                 ///< over the rank of a row, the one with the largest share first
  figure::Histogram by_share;  ///< bins of equal ratio
  double least = 1e-3, most = 1;  ///< shares; the limit of 1 is among them
};
TwinSeries twin_series(const TwinUse&);

/// `op` as it is typed.
Panel error_panel(const std::string& op, const TwinUse&, const TwinSeries&);
Panel shares_panel(const std::string& op, const TwinUse&, const TwinSeries&);
Panel rows_panel(const std::string& op, const TwinSeries&);

}  // namespace orrery::study
