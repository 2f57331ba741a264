#include "core/op/gradient.h"

#include "core/tensor/error.h"

namespace orrery::op {

void require_gradient_shape(const tensor::Array& gradient, const std::vector<tensor::Index>& result) {
  if (gradient.shape == result) return;
  throw InvalidArgument(about(words("gradient"))
                            .found(tensor::shape_text(gradient.shape))
                            .fault("found shape {}", tensor::shape_text(gradient.shape))
                            .allowed("{}, the shape of the result", tensor::shape_text(result)));
}

}  // namespace orrery::op
