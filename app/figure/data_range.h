// Which part of an axis a panel's marks need.
#pragma once

#include "app/figure/digest.h"
#include "app/figure/figure.h"

namespace orrery::figure {

/// The range asked for, or else found in the marks; always finite, lo < hi, and such that the scale can show
/// all of it. Lines ask for a little room above and below, bars stand on their baseline, heatmaps fill the
/// panel to its edges.
Range axis_range(const Panel&, const PanelDigest&, const Axis&, bool along_x);
/// The same of the panel's own axes, with a look at all of its data.
Range x_range(const Panel&);
Range y_range(const Panel&);

/// Of a second axis with a scale of its own: likewise, from the marks that it names.
Range second_range(const Panel&, const PanelDigest&, const SecondAxis&, bool along_x);

Range second_range(const Panel&, const SecondAxis&, bool along_x);

/// Whether a scale can show this range: finite, not empty, and wide enough that a double tells its parts apart.
bool showable(Range, const Scale&);

/// Smallest and largest finite value of a grid; {0, 1} when it has none.
Range value_range(const Grid&);

}  // namespace orrery::figure
