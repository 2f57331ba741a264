// What attention scores and weights must satisfy, whatever the vectors.
#pragma once

#include <vector>

#include "app/study/attention/attend.h"

namespace orrery::study {

std::vector<Check> score_checks(const parameter::Settings&, const Run&, const Attention&);

}  // namespace orrery::study
