// How often values fall into bins.
#pragma once

#include <optional>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

struct Bins {
  std::optional<int> count{};  ///< not given: from their width after Freedman and Diaconis (1981), 2·IQR/∛n
  std::optional<Range> range{};  ///< not given: from the least to the greatest value
  Scale scale{};                 ///< bins are equally wide on it
  bool density = false;          ///< heights such that the area is 1, not counts
};

/// The bins include their lower edge, the last one both. Values that are not finite, outside the range, or not on the
/// scale are left out; with none left there are no bins.
Histogram histogram(const std::vector<double>& values, const Bins& = {});

}  // namespace orrery::figure
