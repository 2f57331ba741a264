// The weights of a score map as a heatmap, whose blocks are estimated as they are shown.
#pragma once

#include <memory>

#include "app/figure/marks.h"
#include "core/attention/weight_map.h"

namespace orrery::study {

/// log10 of the mean weight of every block, each from so many of its rows or from all. Keys along x, queries along y. A
/// file gets the picture of just those rows, however long that takes; a window first gets it in bands of several pixels,
/// then finer.
figure::Heatmap map_of_weights(std::shared_ptr<const attention::WeightMap>, tensor::Index rows);

}  // namespace orrery::study
