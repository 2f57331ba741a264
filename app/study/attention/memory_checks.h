// What must hold of a cache and of a step, whatever the model.
#pragma once

#include <optional>
#include <vector>

#include "app/study/attention/memory_asked.h"
#include "app/study/study.h"

namespace orrery::study::attention_memory {

/// `length`: from which on the cache is more than the weights a step reads; `texts`: from which on arithmetic limits; where
/// there is such.
std::vector<Check> checks_of(const Asked&, const std::vector<SharedCache>&, std::optional<double> length,
                             std::optional<double> texts, const Run&);

}  // namespace orrery::study::attention_memory
