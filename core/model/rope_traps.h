// Where programs that read the same file are known to differ: said aloud, so that nobody has to find out.
#pragma once

#include "core/model/rope_layer.h"

namespace orrery::model {

/// About one layer's rule, and the keys of its dictionary that no rule reads.
void add_traps(RopeContext&, Fields& rope, const RopeLayer&, std::vector<position::RopeWarning>&);

/// About the model: layers without positions, temperatures, rotary keys at the top that nobody reads.
void add_model_traps(RopeContext&, std::vector<position::RopeWarning>&);

}  // namespace orrery::model
