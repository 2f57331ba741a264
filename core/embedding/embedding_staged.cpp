#include "core/embedding/embedding.h"

namespace orrery::embedding {

using tensor::Index;

void embedding_staged(std::span<const Index> ids, tensor::View<const double> table, Scale scale,
                      const tensor::Precision& precision, tensor::View<double> y) {
  const tensor::Rounding store(precision.storage), accumulate(precision.accumulate);
  const double s = store(scale_factor(scale, table.cols));
  for (Index n = 0; n < y.rows; ++n) {
    for (Index j = 0; j < y.cols; ++j) {
      const double v = store(table(ids[static_cast<std::size_t>(n)], j));
      y(n, j) = scale == Scale::none ? v : store(accumulate(s * v));
    }
  }
}

}  // namespace orrery::embedding
