#include "core/embedding/unembedding_vjp.h"

namespace orrery::embedding {

template <class T>
void unembedding_vjp(tensor::View<const T> x, tensor::View<const T> table, tensor::View<const T> g,
                     tensor::View<T> dx, tensor::View<T> dtable) {
  const tensor::Matrix<double> gradient = g.eigen().template cast<double>();
  dx.eigen() = (gradient * table.eigen().template cast<double>()).template cast<T>();
  dtable.eigen() = (gradient.transpose() * x.eigen().template cast<double>()).template cast<T>();
}

template void unembedding_vjp(tensor::View<const float>, tensor::View<const float>, tensor::View<const float>,
                              tensor::View<float>, tensor::View<float>);
template void unembedding_vjp(tensor::View<const double>, tensor::View<const double>,
                              tensor::View<const double>, tensor::View<double>, tensor::View<double>);

}  // namespace orrery::embedding
