// What block/placement proves as it runs.
#pragma once

#include "app/study/block/placement_measured.h"

namespace orrery::study::block_placement {

/// Of a model of the followed place, so small that its loss can be taken many times, in double; with a smooth function in
/// ReLU's place.
Check gradient_is_slope(const Run&, const Asked&);

/// How far mean squares of x_0 … x_L are outside of their law, in its deviations.
double deviations_outside(const Law&, const std::vector<double>& squares);
/// Sums of 32 squares and more are within so many of their deviations but for three in a hundred million.
inline constexpr double deviations_allowed = 8;

std::vector<Check> checks_of(const Run&, const Asked&, const Sweep&,
                             const std::vector<double>& normed_logits);

}  // namespace orrery::study::block_placement
