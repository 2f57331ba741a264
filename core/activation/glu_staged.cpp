#include "core/activation/glu.h"

namespace orrery::activation {

using tensor::Index;

void glu_staged(tensor::View<const double> x, const GluParams& params, const tensor::Precision& precision,
                tensor::View<double> y) {
  const tensor::Rounding store(precision.storage), accumulate(precision.accumulate);
  const Index F = y.cols;
  const Index a = params.gated == Half::first ? 0 : F, b = F - a;
  for (Index n = 0; n < y.rows; ++n)
    for (Index j = 0; j < F; ++j) {
      double gate = accumulate(value(params.gate, store(x(n, a + j))));
      if (!params.fused) gate = store(gate);
      y(n, j) = store(accumulate(gate * store(x(n, b + j))));
    }
}

}  // namespace orrery::activation
