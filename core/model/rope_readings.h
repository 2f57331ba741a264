// How else a layer's rule is read: by older copies of the same library, by other programs, by the paper.
#pragma once

#include <string>
#include <vector>

#include "core/model/rope_config.h"

namespace orrery::model {

struct RopeOtherReading {
  std::string name;  ///< a few words: "factor from the lengths"
  std::string who;   ///< where it was seen
  position::RopeRule rule;
  std::vector<double> inv_freq;
  double attention_factor = 1;
};

/// Only those that give other numbers than the layer's own. A layer without positions has none.
///
///   yarn          the factor from the two lengths; the longest length as the original one; the ramp's ends rounded where
///                 the file says not to; the paper's ramp
///   dynamic       grown once and for all (vLLM); as the paper grows it
///   longrope      the factor from the two lengths; the long list, whatever the length
///   proportional  as ordinary partial rotary, its exponent over the turning part
///   any           the rule forgotten; the base not found, and 10000 taken; a part rotated as if it were the whole head
///
/// Source  the issue trackers of transformers (#38224, #39847, #48652), vLLM (#3488, #56066), sglang (#14745) and of
///         programs that convert models for them.
std::vector<RopeOtherReading> other_readings(const RopeLayer&);

}  // namespace orrery::model
