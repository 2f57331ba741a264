// The formula of attention/scores with its numbers put in: a score, its weight, and a component of the output.
#pragma once

#include <string>

#include "app/study/attention/score_panels.h"

namespace orrery::study::attention_scores {

/// Of the framed query and key, in double; without a key, the one that gets most of the query's weight.
std::string worked_scores(const parameter::Settings&, const Run&, const Framed&);

}  // namespace orrery::study::attention_scores
