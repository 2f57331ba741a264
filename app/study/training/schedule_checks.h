// What training/schedule proves of its settings.
#pragma once

#include <vector>

#include "app/study/kit/checks.h"
#include "app/study/training/schedule_asked.h"

namespace orrery::study {

/// What going through all steps has found.
struct RatesFound {
  double sum, highest, highest_step;
};

std::vector<Check> schedule_checks(const ScheduleAsked&, const Followed&, const RatesFound&);

}  // namespace orrery::study
