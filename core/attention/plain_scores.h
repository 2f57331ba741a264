// Scores that are nothing but products times a factor, without cap, bias or padding, straight from the sums in registers to
// where they belong: what most models ask for, and what scores.h says, to the bit.
#pragma once

#include "core/attention/scores.h"

namespace orrery::attention {

void plain_scores_cpu(tensor::View<const float> q, tensor::View<const float> k, const ScoresParams&,
                      tensor::View<float> s);

}  // namespace orrery::attention
