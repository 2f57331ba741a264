// The formula of attention/scores with its numbers put in: a score, its weight, and a component of the output.
#pragma once

#include <string>

#include "app/study/attention/cell_terms.h"
#include "app/study/attention/score_panels.h"

namespace orrery::study::attention_scores {

/// The framed query and key; without a key, the one that gets most of the query's weight.
MapCell worked_cell(const Attention&, const Framed&);
/// Of that cell, from attention in double.
std::string worked_scores(const parameter::Settings&, const Attention& exact, MapCell);

}  // namespace orrery::study::attention_scores
