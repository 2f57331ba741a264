// Which values contours are drawn at, and what is written on them.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

struct ContourLevels {
  std::vector<double> values;      ///< ascending
  std::vector<std::string> texts;  ///< as many

  /// A value inside band k: below the first level for k = 0, above the last for k = values.size().
  double inside(std::size_t k) const;
  std::size_t band(double value) const;
};

/// Those asked for, or as ticks of the range are found; never on its ends, where a line would be a point.
ContourLevels contour_levels(const Contours&, Range);

}  // namespace orrery::figure
