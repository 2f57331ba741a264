#include <algorithm>

#include "core/embedding/embedding.h"
#include "core/tensor/reduce.h"

namespace orrery::embedding {

using tensor::Index;

template <class T>
void embedding_cpu(std::span<const Index> ids, tensor::View<const T> table, Scale scale, tensor::View<T> y) {
  const double s = scale_factor(scale, table.cols);
#pragma omp parallel for schedule(static) if (y.size() > tensor::small_work)
  for (Index n = 0; n < y.rows; ++n) {
    const T* from = table.row(ids[static_cast<std::size_t>(n)]).data();
    T* to = y.row(n).data();
    if (s == 1) {
      std::copy_n(from, y.cols, to);
      continue;
    }
    for (Index j = 0; j < y.cols; ++j) to[j] = static_cast<T>(s * static_cast<double>(from[j]));
  }
}

template void embedding_cpu(std::span<const Index>, tensor::View<const float>, Scale, tensor::View<float>);
template void embedding_cpu(std::span<const Index>, tensor::View<const double>, Scale, tensor::View<double>);

}  // namespace orrery::embedding
