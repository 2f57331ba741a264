// What attention/scores says of positions that turn queries and keys, tried on one vector for all of them.
#pragma once

#include <vector>

#include "app/study/study.h"
#include "core/parameter/settings.h"
#include "core/tensor/view.h"

namespace orrery::study::attention_scores {

/// RoPE and xPos: a score depends on m − n only; a rule: by what; Self-Extend: at which distance. None where nothing is turned.
std::vector<Check> position_checks(const parameter::Settings&, const Run&, tensor::Index length,
                                   tensor::Index width);

}  // namespace orrery::study::attention_scores
