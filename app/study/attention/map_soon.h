// What a window is told of a score map while more is found: it never waits.
#pragma once

#include <memory>

#include "app/figure/block_sampler.h"
#include "core/attention/score_map.h"

namespace orrery::study {

/// Pictures as `values` gives them. Of a block under the pointer at first its bounds; a thread looks it through, which takes up
/// to a second for most_exact cells; of a larger one it narrows the bounds, part by part, as far as that many cells go.
std::shared_ptr<figure::SoonSampler> soon_scores(std::shared_ptr<const attention::ScoreMap>,
                                                 figure::Sampler values);

}  // namespace orrery::study
