// What the layout decided, said once more in the words of the figure: for writers that leave axes, legends and words to
// somebody else's typesetting, as PGFPlots does. A canvas needs none of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/scale.h"

namespace orrery::figure {

/// From the first primitive of the scene to behind the last.
struct PrimitiveSpan {
  std::size_t first = 0, last = 0;
};

struct AxisRecord {
  bool vertical = false, opposite = false;  ///< left or right; opposite: above the plot, or right of it
  Scale scale{};
  Range range{};
  bool reversed = false;
  bool line = true;                   ///< drawn with a line and ticks
  bool grid = false;                  ///< with lines across the plot
  std::vector<double> ticks{};        ///< values
  std::vector<double> minor{};        ///< and those of the smaller marks between them
  std::vector<std::string> labels{};  ///< of the ticks; empty: there was no room
  bool turned = false;                ///< labels read upwards
  std::string title{};
  std::vector<int> marks{};  ///< that follow this axis and not the panel's own
};

struct BarRecord {
  PrimitiveSpan drawn{};  ///< its image is among them
  AxisRecord axis{};
};

struct PanelRecord {
  std::vector<PrimitiveSpan> marks{};  ///< as many as the panel has
  std::vector<AxisRecord> axes{};
  std::optional<BarRecord> bar{};
  std::vector<std::string> title{};  ///< in lines
  double title_top = 0;              ///< points, on the page
  bool title_bold = false;
  bool frame = false;
  PrimitiveSpan legend{};  ///< samples and words, wherever it stands
};

}  // namespace orrery::figure
