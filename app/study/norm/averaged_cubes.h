// Batches as cubes of numbers, with the set of those that share one mean filled.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/kit/space.h"
#include "app/study/norm/averaged.h"

namespace orrery::study {

struct AveragedCube {
  std::string name, caption;
  Cells set;
  figure::Ink ink;
};

/// The first cube names the axes of a batch of so many cells; the others stand beside it, each parted into its sets, the
/// one at the corner nearest to the eye filled.
figure::Panel averaged_cubes_panel(View, const Cells& batch, const std::vector<AveragedCube>&);

}  // namespace orrery::study
