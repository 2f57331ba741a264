// How spread out a row of weights is.
#pragma once

#include <span>

namespace orrery::study {

/// −Σ p ln p in nats; a weight of 0 has no part in it.
double weights_entropy(std::span<const double> weights);

}  // namespace orrery::study
