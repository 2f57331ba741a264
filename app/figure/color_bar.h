// The scale of a heatmap's colours, as high as the map.
#pragma once

#include "app/figure/axis_guide.h"
#include "app/figure/color_map.h"

namespace orrery::figure {

/// The bar as an axis of its own, on its right side.
Axis bar_axis(const ColorScale&);

/// From the plot's edge to the outer edge of the bar's ticks, labels and title.
double bar_thickness(const AxisGuide&, const Axis&, const Theme&, const TextMetrics&);

void draw_color_bar(const AxisGuide&, const Axis&, const ValueColors&, const Rect& plot, const Theme&,
                    const TextMetrics&, Scene&);

}  // namespace orrery::figure
