// The architecture of a block for each place of the norms, drawn from below: the stream goes up, branches leave it and are
// added to it. One drawing for a place, side by side; the norms have the colour that the place has in all figures.
#pragma once

#include <vector>

#include "app/figure/figure.h"
#include "app/study/block/norm_places.h"

namespace orrery::study {

/// So many to a row at most.
figure::Panel norm_drawing_panel(std::vector<const NormPlace*>, std::size_t in_a_row);

}  // namespace orrery::study
