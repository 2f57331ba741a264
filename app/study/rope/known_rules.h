// The rules of the published models, by name: what a vector from a real run most likely is.
#pragma once

#include <vector>

#include "core/position/rope_identify.h"

namespace orrery::study {

/// Every kind of layer of every model; those whose frequencies change with the length also for a long text.
std::vector<position::KnownRule> published_rules();

/// "rope_theta 500 000, factor 8, …": what makes this rule, for a line of text. Defaults that say nothing are left out.
std::string rule_text(const position::RopeRule&);

}  // namespace orrery::study
