// The row of one query for attention/online: its keys taken tile by tile, and what is kept after each.
#pragma once

#include <cmath>
#include <vector>

#include "app/study/twin.h"
#include "core/attention/online_softmax.h"
#include "core/parameter/settings.h"

namespace orrery::study::attention_online {

/// One tile, and what is kept before and after it.
struct Step {
  std::vector<double> scores, values;
  attention::OnlineSoftmax before, after;
  double correction() const { return attention::online_correction(before.max, after.max); }
  bool first() const { return std::isinf(before.max); }
};

struct Row {
  twin::Matrix scores, values;  ///< 1 × S, S × 1, in the order in which they are taken
  std::vector<Step> steps;
  std::size_t shown = 0;

  const Step& step() const { return steps[shown]; }
  const attention::OnlineSoftmax& end() const { return steps.back().after; }
};

/// From the parameters keys, order, tile and step. Throws InvalidArgument where there are no keys, or more than 64.
Row row_in(const parameter::Settings&);
/// Some neighbours of the row, at once.
attention::OnlineSoftmax of_keys(const Row&, tensor::Index first, tensor::Index count);

}  // namespace orrery::study::attention_online
