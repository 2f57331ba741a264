#include <algorithm>

#include "core/position/rope.h"
#include "core/tensor/reduce.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// Pair i is (x[first(i)], x[first(i) + apart]). In place is fine: both are read before either is written.
template <Index stride, class T>
void rotate_row(const T* x, const T* cos, const T* sin, Index pairs, Index apart, T* y) {
  for (Index i = 0; i < pairs; ++i) {
    const Index a = stride * i;
    const Index b = a + apart;
    const T c = cos[i], s = sin[i];
    const T xa = x[a], xb = x[b];
    y[a] = c * xa - s * xb;
    y[b] = s * xa + c * xb;
  }
}

}  // namespace

template <class T>
void rope_cpu(tensor::View<const T> x, tensor::View<const T> cos, tensor::View<const T> sin,
              RopeLayout layout, tensor::View<T> y) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols);
  if (x.empty()) return;
  const Index pairs = cos.cols;

#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work)
  for (Index r = 0; r < x.rows; ++r) {
    const Index token = r % cos.rows;
    const T* from = x.row(r).data();
    T* to = y.row(r).data();
    const T* c = cos.row(token).data();
    const T* s = sin.row(token).data();
    if (layout == RopeLayout::interleaved) {
      rotate_row<2>(from, c, s, pairs, 1, to);
    } else {
      rotate_row<1>(from, c, s, pairs, pairs, to);
    }
    if (from != to) std::copy(from + 2 * pairs, from + x.cols, to + 2 * pairs);
  }
}

template void rope_cpu(tensor::View<const float>, tensor::View<const float>, tensor::View<const float>,
                       RopeLayout, tensor::View<float>);
template void rope_cpu(tensor::View<const double>, tensor::View<const double>, tensor::View<const double>,
                       RopeLayout, tensor::View<double>);

}  // namespace orrery::position
