// What the studies of additive biases share: values by distance as curves, and the twins of the op that spreads them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/twin.h"
#include "core/position/relative_bias.h"

namespace orrery::study {

/// Row h of a bias by distance (position/relative_bias.h), from the query itself to the farthest key before it.
std::vector<double> bias_behind(const twin::Matrix& values, tensor::Index head);

/// "cpu equals the double reference", of relative_bias with these values: heads × (2L − 1), L small. The reference comes
/// from the op's own loops (alibi_ref, kerple_ref, t5_bias_ref): heads·L × L.
Check spread_check(const Run&, const twin::Matrix& values, const twin::Matrix& reference);
/// ALiBi with these slopes for the same: it is KERPLE's power kernel with exponent 1.
twin::Matrix alibi_reference(std::span<const double> slopes, tensor::Index length, position::Direction);

/// A staircase or curve through (x, y), in the colour of its series.
figure::Line curve(std::vector<double> x, std::vector<double> y, int series, std::string label);

}  // namespace orrery::study
