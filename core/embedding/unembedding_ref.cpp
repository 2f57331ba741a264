#include "core/embedding/unembedding.h"

namespace orrery::embedding {

using tensor::Index;

void unembedding_ref(tensor::View<const double> x, tensor::View<const double> table, tensor::View<double> y) {
  for (Index n = 0; n < y.rows; ++n)
    for (Index v = 0; v < y.cols; ++v) {
      double sum = 0;
      for (Index j = 0; j < x.cols; ++j) sum += x(n, j) * table(v, j);
      y(n, v) = sum;
    }
}

}  // namespace orrery::embedding
