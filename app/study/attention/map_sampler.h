// A score map as a heatmap: what it shows is asked for as it is shown.
#pragma once

#include <memory>

#include "app/figure/marks.h"
#include "core/attention/score_map.h"

namespace orrery::study {

/// The tokens whose cells have their middles in each of `count` equal parts of a range; at least the one at the part's own
/// middle.
std::vector<attention::KeyRange> tokens_in(figure::Range, int count, tensor::Index tokens);

/// Keys along x, queries along y. It keeps the map alive, and may be asked from any thread.
figure::Heatmap map_of_scores(std::shared_ptr<const attention::ScoreMap>, attention::Shows);

}  // namespace orrery::study
