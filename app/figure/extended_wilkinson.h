// The search of Talbot, Lin and Hanrahan, "An extension of Wilkinson's algorithm for positioning tick labels
// on axes" (2010): among all labellings by nice steps, the one that scores best in simplicity, coverage and
// density.
#pragma once

#include <cstdint>
#include <optional>

#include "app/figure/scale.h"

namespace orrery::figure {

/// Tick i stands at (first + i·stride) · 10^exp10.
struct DecimalTicks {
  std::int64_t first = 0, stride = 1;
  int count = 0;
  int exp10 = 0;
};

/// The best labelling with at least two ticks, all inside the range; none when there is no such labelling.
/// Legibility is the caller's: it asks again with a smaller target.
std::optional<DecimalTicks> extended_wilkinson(Range, int target, bool integers_only);

}  // namespace orrery::figure
