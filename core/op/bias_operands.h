// What the ops that give a bias on attention scores read alike.
#pragma once

#include "core/op/op.h"
#include "core/position/relative_bias.h"

namespace orrery::op {

position::Direction direction_of(const parameter::Settings&);

/// L, when H × L × L is a result that a memory holds; else InvalidArgument.
tensor::Index bias_length(const Call&, tensor::Index heads);

}  // namespace orrery::op
