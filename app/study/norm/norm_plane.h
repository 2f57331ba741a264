// What the two norms do, seen in the plane that holds all of it: of a vector's D components only the common mean and the
// deviation from it matter. The vector of ones and the centred vector are at right angles; over √D the first axis is the
// mean, the second the deviation, and both norms end on the circle of radius 1, but for epsilon.
#pragma once

#include "app/study/kit/series.h"
#include "app/study/norm/both_norms.h"

namespace orrery::study {

/// "plane": the mean and the deviation of x over `scale`, of LayerNorm's result and of RMSNorm's. x has the mean
/// `mean` · scale.
Series norm_plane(const twin::Matrix& x, const BothNorms&, double scale);

/// `alone`: with names for its colours.
figure::Panel norm_plane_panel(const Series& plane, double mean, bool alone);

/// The chord between the two points is their root mean square distance: neither norm leaves the plane.
Check stays_in_plane(const Series& plane, double distance, double slack);

}  // namespace orrery::study
