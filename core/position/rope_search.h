// Rules that might have given a vector of frequencies: what rope_identify() then generates and compares.
#pragma once

#include <span>
#include <vector>

#include "core/position/rope_frequencies.h"

namespace orrery::position::search {

/// `slack` is the relative error that a number of the vector may have.
std::vector<RopeRule> candidates(std::span<const double> inv_freq, double slack);

/// Significant decimal digits of the shortest text of x; a power of two counts as one digit.
int digits(double x);

}  // namespace orrery::position::search
