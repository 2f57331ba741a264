// What block/placement has measured, as columns: means over the seeds that there are.
#pragma once

#include "app/study/block/placement_measured.h"
#include "app/study/kit.h"

namespace orrery::study::block_placement {

inline double last_gradient(const Measured& model) {
  return model.gradients.back();
}

// Of the deepest models: layer by layer.
Series squares_series(const Asked&, const Sweep&);
Series gradients_series(const Asked&, const Sweep&);
/// The last gradients by the number of layers.
Series depths_series(const Asked&, const Sweep&);
/// Of the followed place, to the depth of what is measured yet.
Series law_series(const Asked&, const Series& squares);

Table branches_table(const Asked&);
Table models_table(const Asked&, const Sweep&);

}  // namespace orrery::study::block_placement
