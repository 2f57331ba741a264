#include <algorithm>
#include <cmath>

#include "core/embedding/unembedding.h"
#include "core/tensor/reduce.h"

namespace orrery::embedding {

using tensor::Index;
using Doubles = tensor::Matrix<double>;

double unembedding_gpu_bound(Index D) {
  return (2 + std::sqrt(static_cast<double>(D))) * 0x1p-24;
}

template <class T>
void unembedding_cpu(tensor::View<const T> x, tensor::View<const T> table, tensor::View<T> y) {
  // A vocabulary is long: blocks of it go to threads, each in double only while it is used.
  constexpr Index block = 256;
  const Doubles tokens = x.eigen().template cast<double>();
#pragma omp parallel for schedule(dynamic) if (y.size() * x.cols > tensor::small_work)
  for (Index first = 0; first < table.rows; first += block) {
    const Index count = std::min(block, table.rows - first);
    const Doubles words = table.eigen().middleRows(first, count).template cast<double>();
    y.eigen().middleCols(first, count) = (tokens * words.transpose()).template cast<T>();
  }
}

template void unembedding_cpu(tensor::View<const float>, tensor::View<const float>, tensor::View<float>);
template void unembedding_cpu(tensor::View<const double>, tensor::View<const double>, tensor::View<double>);

}  // namespace orrery::embedding
