// What attention scores, weights and outputs must satisfy, whatever the vectors.
#pragma once

#include <vector>

#include "app/study/attention/attend.h"

namespace orrery::study::attention_scores {

/// `query`: whose row is held against attention in one piece.
std::vector<Check> score_checks(const parameter::Settings&, const Run&, const Attention&,
                                tensor::Index query);

}  // namespace orrery::study::attention_scores
