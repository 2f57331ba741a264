#include "core/activation/for_float.h"
#include "core/activation/glu.h"
#include "core/activation/kernels.h"
#include "core/simd/share.h"

namespace orrery::activation {

using tensor::Index;

namespace {

/// activated(a) and passed(b) of every pair, in double.
template <class T, class Activated, class Passed>
void each(tensor::View<const T> x, const GluParams& params, tensor::View<T> y, Activated activated,
          Passed passed) {
  const Halves at(params, y.cols);
  simd::share(y.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      const T* from = x.row(n).data();
      T* to = y.row(n).data();
      for (Index j = 0; j < y.cols; ++j)
        to[j] = static_cast<T>(activated(static_cast<double>(from[at.a(j)])) *
                               passed(static_cast<double>(from[at.b(j)])));
    }
  });
}

template <class T>
void each(tensor::View<const T> x, const GluParams& params, tensor::View<T> y) {
  const Gate& gate = params.gate;
  each(
      x, params, y, [&gate](double a) { return gate.activated(a); },
      [&gate](double b) { return gate.passed(b); });
}

/// The activation's own loop, which multiplies before it writes.
void by_kernel(Kernel* kernel, tensor::View<const float> x, const GluParams& params, tensor::View<float> y) {
  const bool streamed = simd::is_streamed(y);
  const Halves at(params, y.cols);
  simd::share(y.rows, x.size(), [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      const float* from = x.row(n).data();
      kernel({from + at.a(0), from + at.b(0), y.row(n).data(), static_cast<std::size_t>(y.cols), streamed});
    }
  });
}

}  // namespace

template <>
void glu_cpu(tensor::View<const float> x, const GluParams& params, tensor::View<float> y) {
  if (is_rounded_before_the_product(params))
    return by_kernel(kernel_of(params.gate.activation.kind), x, params, y);
  if (params.gate.plain() && params.gate.activation.kind == Kind::sigmoid)
    return each(
        x, params, y, [](double a) { return sigmoid_for_float(a); }, [](double b) { return b; });
  each(x, params, y);
}

template <>
void glu_cpu(tensor::View<const double> x, const GluParams& params, tensor::View<double> y) {
  each(x, params, y);
}

}  // namespace orrery::activation
