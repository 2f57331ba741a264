// The panels of block/placement.
#pragma once

#include "app/study/block/placement_series.h"

namespace orrery::study::block_placement {

Panel variance_panel(const Settings&, const Asked&, const Series& squares, const Series& law);
Panel layers_panel(const Settings&, const Asked&, const Series& gradients);
Panel depth_panel(const Settings&, const Asked&, const Sweep&, const Series& by_depth);
Panel logits_panel(const Asked&, const Series& logits);

}  // namespace orrery::study::block_placement
