// What attention/map proves of its blocks as it runs.
#pragma once

#include <vector>

#include "app/study/attention/map_asked.h"
#include "app/study/study.h"

namespace orrery::study {

std::vector<Check> map_checks(const Run&, const MapAsked&, const attention::ScoreMap&);

}  // namespace orrery::study
