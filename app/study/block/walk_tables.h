// The numbers behind block/walk.
#pragma once

#include <string>
#include <vector>

#include "app/figure/table.h"
#include "app/study/block/walk_parts.h"

namespace orrery::study::block_walk {

/// "shapes": every matrix that is shown, with its letters; and each of them. `prefix` stands before the names.
void add_part_tables(const std::vector<Line>&, const std::string& prefix, std::vector<figure::Table>&);
/// "next": logits and probabilities behind the last word; "tape" and "arrays": every matrix of the pass, every learned array.
void add_model_tables(const Walked&, const std::string& prefix, std::vector<figure::Table>&);

}  // namespace orrery::study::block_walk
