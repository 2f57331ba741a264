#include "core/activation/activation.h"
#include "core/tensor/reduce.h"

namespace orrery::activation {

using tensor::Index;

namespace {

template <class T, class F>
void each(tensor::View<const T> x, tensor::View<T> y, F f) {
  // An exponential weighs as much as some sixteen elements of a copy.
#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work / 16)
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) y(i, j) = f(x(i, j));
}

}  // namespace

template <class T>
void activation_cpu(tensor::View<const T> x, Kind kind, tensor::View<T> y) {
  if (kind == Kind::relu) {
    each(x, y, [](T v) { return v < 0 ? T(0) : v; });
  } else {
    each(x, y, [kind](T v) { return static_cast<T>(value(kind, static_cast<double>(v))); });
  }
}

template void activation_cpu(tensor::View<const float>, Kind, tensor::View<float>);
template void activation_cpu(tensor::View<const double>, Kind, tensor::View<double>);

}  // namespace orrery::activation
