// The cell of a map that is worked out: its score in double, term by term, and its weight where its row was summed.
#pragma once

#include <string>

#include "app/figure/table.h"
#include "app/study/attention/map_asked.h"
#include "app/study/attention/map_weights.h"

namespace orrery::study {

/// The formula with its numbers; `row` is null where nothing was summed.
std::string map_worked(const MapAsked&, const attention::ScoreMap&, const WeightRow* row);
figure::Table map_cell_terms(const MapAsked&, const attention::ScoreMap&);
/// One line: the cell, its score, its weight.
figure::Table chosen_cell(const MapAsked&, const attention::ScoreMap&, const WeightRow* row);

}  // namespace orrery::study
