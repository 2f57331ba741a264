// A call of any op of the table, made from its row alone: shapes from the letters of its inputs, values from a seed.
#pragma once

#include <cstdint>

#include "core/op/op.h"

namespace orrery::study {

struct SampleInput {
  tensor::Index rows = 64, width = 256;  ///< tokens, and numbers of each
  double mean = 0, scale = 1;            ///< of normal values
  std::uint64_t seed = 1;
};

/// Values are floats, so that every twin is given the same. Settings are the op's defaults, fitted to the shape.
op::Call sample_call(const op::Op&, const SampleInput&);

}  // namespace orrery::study
