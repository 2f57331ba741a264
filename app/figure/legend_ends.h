// Names at the ends of lines: nobody has to look up a colour in a key.
#pragma once

#include <optional>
#include <vector>

#include "app/figure/legend.h"
#include "app/figure/record.h"

namespace orrery::figure {

/// The entries of a panel as they stand beside its plot, each as high as its line ends.
struct LineEnds {
  std::vector<LegendEntry> entries;
  std::vector<double> middles;  ///< of their rows, points
  double width = 0;             ///< of the widest, with the gap before it
};

/// Nothing where there are more than six, where an entry is no line or one that does not reach the right edge, where lines
/// end too close to one another for a row of words each, or where the words would take too much of the plot's width.
std::optional<LineEnds> line_ends(const std::vector<LegendEntry>&, const Panel&, const PanelFrame&,
                                  const Theme&, const TextMetrics&);

void draw_line_ends(const Legend&, const LineEnds&, double right_of, Scene&);

}  // namespace orrery::figure
