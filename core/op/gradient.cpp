#include "core/op/gradient.h"

#include "core/tensor/error.h"

namespace orrery::op {

void require_gradient_shape(const tensor::Array& gradient, const std::vector<tensor::Index>& result) {
  if (gradient.shape == result) return;
  throw InvalidArgument("gradient: found shape " + tensor::shape_text(gradient.shape) +
                        "; allowed: " + tensor::shape_text(result) + ", the shape of the result");
}

}  // namespace orrery::op
