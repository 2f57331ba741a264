#include <cmath>

#include "core/embedding/embedding.h"

namespace orrery::embedding {

using tensor::Index;

double scale_factor(Scale scale, Index D) {
  return scale == Scale::sqrt_d ? std::sqrt(static_cast<double>(D)) : 1;
}

void embedding_ref(std::span<const Index> ids, tensor::View<const double> table, Scale scale,
                   tensor::View<double> y) {
  const double s = scale_factor(scale, table.cols);
  for (Index n = 0; n < y.rows; ++n)
    for (Index j = 0; j < y.cols; ++j) y(n, j) = s * table(ids[static_cast<std::size_t>(n)], j);
}

}  // namespace orrery::embedding
