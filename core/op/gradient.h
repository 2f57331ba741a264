// What the adapters of derivatives share.
#pragma once

#include <vector>

#include "core/op/op.h"

namespace orrery::op {

/// Throws InvalidArgument when the gradient is not of the result's shape.
void require_gradient_shape(const tensor::Array& gradient, const std::vector<tensor::Index>& result);

}  // namespace orrery::op
