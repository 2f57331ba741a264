// Every matrix of a walk made once more from what it is made of, by the reference and by plain products.
#pragma once

#include <vector>

#include "app/study/block/walked.h"

namespace orrery::study::block_walk {

std::vector<Check> checks_of(const Run&, const std::vector<Walked>&);

}  // namespace orrery::study::block_walk
