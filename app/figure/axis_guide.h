// An axis at draw time is nothing but lines and labels. Here they are chosen, measured and drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/scene.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

// Distances in text sizes.
inline constexpr double label_gap = 0.25;       ///< from a tick to its label
inline constexpr double axis_title_gap = 0.35;  ///< from there to the axis' title

/// Of what axes and legends say: quiet on a screen, black on paper.
Color quiet_words(const Theme&);

/// Which side of the plot carries the axis: bottom for x, left for y, top and right for second axes and colour bars.
enum class Side : std::uint8_t { bottom, left, top, right };

/// Where a value stands along an axis: 0 at the left or the bottom end, 1 at the other.
using ShareOf = std::function<double(double value)>;
ShareOf share_of(const Axis&, Range);

/// The ticks of an axis with what they say and where they stand; a label that found no room is empty.
struct AxisGuide {
  TickSet ticks;
  std::vector<double> at;            ///< shares of the axis, one per tick
  std::vector<double> minor;         ///< shares of the smaller marks between them …
  std::vector<double> minor_values;  ///< … and their values
  std::vector<std::string> labels;
  TextStyle style;      ///< of the labels
  bool turned = false;  ///< labels read upwards: names that would touch side by side
  FittedText title;
};

/// An axis that needs a guide.
struct Unguided {
  const Axis& axis;
  Range range;
  ShareOf share;
  Side side;
  double length;                ///< of the plot's side
  double title_room;            ///< how long the title may be
  std::optional<Range> data{};  ///< that it is the axis of
};

/// Ticks whose labels do not touch: asks again with a smaller target until they fit.
AxisGuide make_guide(const Unguided&, const Theme&, const TextMetrics&);

/// Empties the labels that touch a neighbour on an axis of this length; names only where smaller letters do not help.
void drop_overlapping(AxisGuide&, Side, double length, const Theme&, const TextMetrics&);

/// What the axis needs outside the plot, across it: ticks, labels, title.
double thickness(const AxisGuide&, const Axis&, Side, const Theme&, const TextMetrics&);

/// How far the outermost labels reach beyond the two ends of the axis.
struct Overhang {
  double low = 0, high = 0;  ///< towards the left or the bottom; towards the right or the top
};
Overhang overhang(const AxisGuide&, Side, double length, const TextMetrics&);

/// Empties the labels that reach further beyond the ends of the axis than there is room.
void drop_overhanging(AxisGuide&, Side, double length, Overhang room, const TextMetrics&);

/// The title in smaller letters, or none, where it reaches further beyond both ends of the axis than there is room.
void keep_title_within(AxisGuide&, double length, Overhang room, const Theme&, const TextMetrics&);

/// An axis at its side of a plot.
struct AxisAt {
  const AxisGuide& guide;
  const Axis& axis;
  const Rect& plot;
  Side side;
};

void draw_grid_lines(const AxisAt&, const Theme&, Scene&);
/// `line`: with the axis's own line and the marks at its ticks, not their labels alone.
void draw_axis(const AxisAt&, bool line, const Theme&, const TextMetrics&, Scene&);

}  // namespace orrery::figure
