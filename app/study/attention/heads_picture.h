// The panels of attention/heads.
#pragma once

#include <vector>

#include "app/figure/figure.h"
#include "app/study/attention/heads_asked.h"

namespace orrery::study::attention_heads {

/// A step on the way, and the shape of what it gives.
struct Stage {
  const char* name;
  const char* formula;
  Index copies, rows, cols;
};

std::vector<Stage> stages_of(const Asked&);

figure::Panel stages_panel(const Asked&);
figure::Panel one_panel(const Asked&, const MultiHead&, bool alone);
/// Small maps beside and below each other, the rows of queries from the top.
figure::Panel heads_panel(const Asked&, const MultiHead&);
/// A row of query heads above a row of key heads, a line from each to the one that it reads.
figure::Panel sharing_panel(const Asked&);

}  // namespace orrery::study::attention_heads
