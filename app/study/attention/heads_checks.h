// What must hold of heads, whatever their matrices.
#pragma once

#include <vector>

#include "app/study/attention/heads_asked.h"
#include "app/study/kit/series.h"

namespace orrery::study::attention_heads {

/// `heads` has the columns "off the first head" and "largest score".
std::vector<Check> checks_of(const Run&, const Asked&, const MultiHead&, const Series& heads);

}  // namespace orrery::study::attention_heads
