#include <algorithm>
#include <string>

#include "core/position/relative_bias.h"
#include "core/simd/share.h"
#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

void check_relative_bias_shapes(Index heads, Index values, Index rows, Index cols) {
  if (rows == heads * cols && (values == distances(cols) || heads == 0)) return;
  const auto shape = [](Index a, Index b) { return std::to_string(a) + "×" + std::to_string(b); };
  throw InvalidArgument(about(words("relative bias"))
                            .found(shape(rows, cols))
                            .allowed("heads × L rows of L, for values of {}", shape(heads, values)));
}

template <class T>
void relative_bias_cpu(tensor::View<const T> v, tensor::View<T> y) {
  check_relative_bias_shapes(v.rows, v.cols, y.rows, y.cols);
  const Index length = y.cols;
  simd::share(y.rows, y.size(), [&](Index first, Index end) {
    for (Index r = first; r < end; ++r) {
      const Index query = r % length;
      const T* from = v.row(r / length).data() + (length - 1 - query);
      std::copy(from, from + length, y.row(r).data());
    }
  });
}

template void relative_bias_cpu(tensor::View<const float>, tensor::View<float>);
template void relative_bias_cpu(tensor::View<const double>, tensor::View<double>);

}  // namespace orrery::position
