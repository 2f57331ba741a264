#include "core/activation/activation.h"

namespace orrery::activation {

void activation_staged(tensor::View<const double> x, const ActivationParams& params,
                       const tensor::Precision& precision, tensor::View<double> y) {
  const tensor::Rounding store(precision.storage), accumulate(precision.accumulate);
  for (tensor::Index i = 0; i < x.rows; ++i)
    for (tensor::Index j = 0; j < x.cols; ++j) y(i, j) = store(accumulate(value(params, store(x(i, j)))));
}

}  // namespace orrery::activation
