// One row of the weights of a score map, and what is proven of them.
#pragma once

#include "app/figure/table.h"
#include "app/study/attention/map_asked.h"
#include "app/study/kit/series.h"
#include "app/study/study.h"
#include "core/attention/weight_map.h"

namespace orrery::study {

/// One row of weights, all of it.
struct WeightRow {
  Series
      distances;  ///< the keys before the query, in sixths of octaves of distance: their mean weight, their share of 1
  double own = 0;           ///< the weight of the query's own key
  double after = 0;         ///< of all keys after it
  double seen = 0;          ///< how many keys there are
  double score_before = 0;  ///< with the key before the query's own
  double log_sum_exp = 0;

  double sum() const;
  figure::Table facts(tensor::Index query) const;
};
WeightRow weight_row(const Run&, const attention::WeightMap&, tensor::Index query);

/// What is proven of weights as the study runs.
std::vector<Check> weight_checks(const Run&, const MapAsked&, const attention::WeightMap&, const WeightRow&);

}  // namespace orrery::study
