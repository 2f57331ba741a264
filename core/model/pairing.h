// Which columns of a head turn together: no configuration file has to say it, and a wrong guess turns wrong columns.
//
// Source     the modelling files of Hugging Face transformers (rotate_half: x[..., 0::2] and x[..., 1::2] are neighbours),
//            and the models' own code for those that ship theirs.
#pragma once

#include <vector>

#include "core/model/rope_layer.h"

namespace orrery::model {

/// By a key of the file, else as the code of its family turns them. Where neither says it halves are taken, and that is
/// said.
position::RopeLayout pairing_of(RopeContext&, std::vector<position::RopeWarning>&);

/// ChatGLM's first generation, of the same type as those after it: half of a head turns by the positions of the tokens, the
/// other half by those inside a block, each paired by halves.
bool has_two_streams(RopeContext&);

}  // namespace orrery::model
