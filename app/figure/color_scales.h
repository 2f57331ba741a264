// The colour scales of a panel's marks.
#pragma once

#include "app/figure/color_map.h"
#include "app/figure/figure.h"

namespace orrery::figure {

/// Of a mark that shows values as colours; null of all others.
const ColorScale* color_scale(const Mark&);
ColorScale* color_scale(Mark&);

/// Whether a bar beside the panel explains it: lines of one ink need none.
bool wants_bar(const Mark&);

/// The colours of such a mark, over the range given, asked for in its scale, or found in its values, in this order; in
/// bands where it shows areas between levels. `found`: the range of its values, where it is known already.
ValueColors value_colors(const Mark&, const std::optional<Range>& shared, const Theme&,
                         const std::optional<Range>& found = {});

}  // namespace orrery::figure
