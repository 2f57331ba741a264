// The search of Talbot, Lin and Hanrahan, "An extension of Wilkinson's algorithm for positioning tick labels
// on axes" (2010): among all labellings by nice steps, the one that scores best in simplicity, coverage and
// density. Here ticks are multiples of their step (0.2, 0.4, never 0.1, 0.3) and stay inside the range, so
// that a step says it all.
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

/// The best labelling with at least three ticks (two where no more are asked for), all inside the range; none
/// when there is no such labelling.
/// Legibility is the caller's: it asks again with a smaller target.
std::optional<DecimalTicks> extended_wilkinson(Range, int target, bool integers_only);

}  // namespace orrery::figure
