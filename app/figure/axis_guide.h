// An axis at draw time is nothing but lines and labels. Here they are chosen, measured and drawn.
#pragma once

#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/scene.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

/// Which side of the plot carries the axis: bottom for x, left for y, right for a colour bar.
enum class Side : std::uint8_t { bottom, left, right };

/// The ticks of an axis of a given length with what they say; a label that found no room is empty.
struct AxisGuide {
  TickSet ticks;
  std::vector<std::string> labels;
  FittedText title;
};

/// Ticks whose labels do not touch: asks again with a smaller target until they fit. `length` is that of the
/// plot's side; a title may be as long as `title_room`.
AxisGuide make_guide(const Axis&, Range, Side, double length, double title_room, const Theme&,
                     const TextMetrics&);

/// Empties the labels that touch a neighbour on an axis of this length.
void drop_overlapping(AxisGuide&, const Axis&, Range, Side, double length, const Theme&, const TextMetrics&);

/// What the axis needs outside the plot, across it: ticks, labels, title.
double thickness(const AxisGuide&, const Axis&, Side, const Theme&, const TextMetrics&);

/// How far the outermost labels reach beyond the two ends of the axis.
struct Overhang {
  double low = 0, high = 0;  ///< towards the left or the bottom; towards the right or the top
};
Overhang overhang(const AxisGuide&, const Axis&, Range, Side, double length, const Theme&,
                  const TextMetrics&);

/// Empties the labels that reach further beyond the ends of the axis than there is room.
void drop_overhanging(AxisGuide&, const Axis&, Range, Side, double length, Overhang room, const Theme&,
                      const TextMetrics&);

void draw_grid_lines(const AxisGuide&, const Axis&, const PanelFrame&, Side, const Theme&, Scene&);
void draw_axis(const AxisGuide&, const Axis&, const Rect& plot, Range, Side, bool line, const Theme&,
               const TextMetrics&, Scene&);

}  // namespace orrery::figure
