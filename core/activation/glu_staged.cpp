#include "core/activation/glu.h"

namespace orrery::activation {

using tensor::Index;

void glu_staged(tensor::View<const double> x, const GluParams& params, const tensor::Precision& precision,
                tensor::View<double> y) {
  const tensor::Rounding store(precision.storage), accumulate(precision.accumulate);
  const Index F = y.cols;
  const Halves at(params, F);
  for (Index n = 0; n < y.rows; ++n)
    for (Index j = 0; j < F; ++j) {
      double gate = accumulate(params.gate.activated(store(x(n, at.a(j)))));
      double passed = accumulate(params.gate.passed(store(x(n, at.b(j)))));
      if (!params.fused) gate = store(gate), passed = store(passed);
      y(n, j) = store(accumulate(gate * passed));
    }
}

}  // namespace orrery::activation
