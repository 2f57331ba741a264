#include <type_traits>

#include "core/embedding/unembedding.h"
#include "core/simd/product.h"

namespace orrery::embedding {

using tensor::Index;
using tensor::View;

double unembedding_bound(Index D) {
  return simd::product_bound(D);
}

template <class T>
void unembedding_cpu(View<const T> x, View<const T> table, View<T> y) {
  if constexpr (std::is_same_v<T, float>) {
    simd::product(x, simd::Factor::transposed(table), {}, y);
  } else {
    y.eigen().noalias() = x.eigen() * table.eigen().transpose();
  }
}

template void unembedding_cpu(View<const float>, View<const float>, View<float>);
template void unembedding_cpu(View<const double>, View<const double>, View<double>);

}  // namespace orrery::embedding
