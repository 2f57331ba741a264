#include "core/embedding/embedding_vjp.h"

namespace orrery::embedding {

using tensor::Index;

template <class T>
void embedding_vjp(std::span<const Index> ids, tensor::View<const T> g, Scale scale, tensor::View<T> dtable) {
  tensor::Matrix<double> sum = tensor::Matrix<double>::Zero(dtable.rows, dtable.cols);
  for (Index n = 0; n < g.rows; ++n)
    sum.row(ids[static_cast<std::size_t>(n)]) += g.eigen().row(n).template cast<double>();
  dtable.eigen() = (scale_factor(scale, dtable.cols) * sum).template cast<T>();
}

template void embedding_vjp(std::span<const Index>, tensor::View<const float>, Scale, tensor::View<float>);
template void embedding_vjp(std::span<const Index>, tensor::View<const double>, Scale, tensor::View<double>);

}  // namespace orrery::embedding
