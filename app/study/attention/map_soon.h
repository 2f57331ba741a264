// What a window is told of a score map while more is found: it never waits.
#pragma once

#include <memory>

#include "app/figure/block_sampler.h"
#include "core/attention/score_map.h"

namespace orrery::study {

/// Pictures as `values` gives them; those of the highest or lowest scores are bounds at first where they are not small, and
/// a thread looks them through (map_looked_through.h). Of a block under the pointer at first its bounds; a thread looks it
/// through, which takes up to a second for most_exact cells; of a larger one it narrows the bounds, part by part, as far as
/// that many cells go.
std::shared_ptr<figure::SoonSampler> soon_scores(const std::shared_ptr<const attention::ScoreMap>&,
                                                 attention::Shows, figure::Sampler values);

}  // namespace orrery::study
