#include "core/embedding/unembedding.h"

namespace orrery::embedding {

using tensor::Index;

void unembedding_staged(tensor::View<const double> x, tensor::View<const double> table,
                        const tensor::Precision& precision, tensor::View<double> y) {
  const tensor::Rounding store(precision.storage), accumulate(precision.accumulate);
  for (Index n = 0; n < y.rows; ++n)
    for (Index v = 0; v < y.cols; ++v) {
      double sum = 0;
      for (Index j = 0; j < x.cols; ++j)
        sum = accumulate(sum + accumulate(store(x(n, j)) * store(table(v, j))));
      y(n, v) = store(sum);
    }
}

}  // namespace orrery::embedding
