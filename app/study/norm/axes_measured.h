// What norm/axes measures: one sample in batches of every size, and BatchNorm as training goes on.
#pragma once

#include <array>
#include <vector>

#include "app/study/kit/series.h"
#include "app/study/norm/averaged.h"
#include "app/study/study.h"

namespace orrery::study::norm_axes {

inline constexpr tensor::Index largest_batch = 64;
inline constexpr tensor::Index followed = 0;  ///< the sample, the position and the feature that are followed

struct Asked {
  BatchShape shape;
  Samples samples;
  double eps, momentum;
  tensor::Index steps;
};

/// The first sample after a norm, in batches of 1, 2, 4 … samples: a number of it in each, and by how much any of its numbers
/// moves away from what it is alone.
struct Growth {
  Series values;
  std::array<double, averagings.size()> moved{};
};

Growth growth_of(const Run&, const Asked&);

/// The largest change of the first token's numbers where the other positions of its sample are other ones.
double moved_by_positions(const Run&, Averaging, const Asked&);

/// BatchNorm of the followed feature as training goes on: batch after batch of samples that nobody has seen.
struct Training {
  Series kept;     ///< what is kept, from before the first step
  Series outputs;  ///< the followed number in a batch in training, and by what is kept then
};

Training training_of(const Run&, const Asked&);

/// What the running variance is to come to: the mean of what batches of this size have, less than that of all samples, as the
/// samples of a batch share their shifts.
double kept_variance(const Asked&);
/// What the followed number is after BatchNorm by that and by the feature's mean.
double evaluated_at_last(const Asked&);

std::vector<Check> checks_of(const Run&, const Asked&, const Growth&, const Training&);

}  // namespace orrery::study::norm_axes
