// What one step of training does to stacks as they begin, with Post-LN, Pre-LN and DeepNorm, by their depth; and what is
// left of a token in each layer.
#pragma once

#include <map>
#include <vector>

#include "app/study/block/placement_measured.h"

namespace orrery::study::block_deepnorm {

using block_placement::Asked;
using transformer::Index;

struct Step {
  bool adam = false;  ///< else plain gradient descent
  double rate = 0.01;
};

/// One model of one seed.
struct Moved {
  double change = 0;         ///< the root mean square by which the stack's result changes after a step
  std::vector<double> left;  ///< the mean cosine between a token of x_0 and of x_0 … x_L
  double square = 0;         ///< the mean square of what the last norm reads
};

using Sweep = std::map<const NormPlace*, std::vector<std::vector<Moved>>>;

/// The matrices of the blocks move; embeddings, gains, biases and the head stay.
Moved moved(const Run&, const Asked&, const NormPlace&, Index depth, const Step&, InitialDraws&,
            const transformer::Batch&);

}  // namespace orrery::study::block_deepnorm
