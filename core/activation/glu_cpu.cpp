#include "core/activation/for_float.h"
#include "core/activation/glu.h"
#include "core/tensor/reduce.h"

namespace orrery::activation {

using tensor::Index;

namespace {

template <class T, class F>
void each(tensor::View<const T> x, Half gated, tensor::View<T> y, F f) {
  const Index width = y.cols;
#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work / 8)
  for (Index n = 0; n < y.rows; ++n) {
    const T* halves = x.row(n).data();
    const T* a = gated == Half::first ? halves : halves + width;
    const T* b = gated == Half::first ? halves + width : halves;
    T* to = y.row(n).data();
    for (Index j = 0; j < width; ++j)
      to[j] = static_cast<T>(f(static_cast<double>(a[j])) * static_cast<double>(b[j]));
  }
}

}  // namespace

template <>
void glu_cpu(tensor::View<const float> x, const GluParams& params, tensor::View<float> y) {
  // The cheap gates in loops that vectorise; the others as their definitions have them.
  switch (params.gate.kind) {
    case Kind::relu:
      return each(x, params.gated, y, [](double v) { return v < 0 ? 0 : v; });
    case Kind::sigmoid:
      return each(x, params.gated, y, [](double v) { return sigmoid_for_float(v); });
    case Kind::silu:
      return each(x, params.gated, y, [](double v) { return v < -700 ? 0 : v * sigmoid_for_float(v); });
    default:
      return each(x, params.gated, y, [&params](double v) { return value(params.gate, v); });
  }
}

template <>
void glu_cpu(tensor::View<const double> x, const GluParams& params, tensor::View<double> y) {
  each(x, params.gated, y, [&params](double v) { return value(params.gate, v); });
}

}  // namespace orrery::activation
