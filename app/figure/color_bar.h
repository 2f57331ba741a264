// The scale of a heatmap's colours, as high as the map.
#pragma once

#include "app/figure/axis_guide.h"
#include "app/figure/color_map.h"

namespace orrery::figure {

/// The bar as an axis of its own, on its right side.
Axis bar_axis(const ColorScale&);

/// Across, from the bar's near side to the outer edge of its ticks, labels and title.
double bar_thickness(const AxisGuide&, const Axis&, const Theme&, const TextMetrics&);

/// Between a bar and what stands to its left.
double bar_gap(const Theme&);

struct ColorBar {
  const AxisGuide& guide;
  const Axis& axis;
  const ValueColors& colors;
  double x;    ///< of its near side
  Range down;  ///< from its upper end to its lower
};

void draw_color_bar(const ColorBar&, const Theme&, const TextMetrics&, Scene&);

}  // namespace orrery::figure
