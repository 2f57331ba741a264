#include "core/activation/for_float.h"
#include "core/activation/glu.h"
#include "core/activation/kernels.h"
#include "core/simd/share.h"

namespace orrery::activation {

using tensor::Index;

namespace {

/// The half of a row that is activated, and the one that it multiplies.
template <class T>
struct Halves {
  const T *a, *b;

  Halves(std::span<const T> row, Half gated)
      : a(row.data() + (gated == Half::first ? 0 : row.size() / 2)),
        b(row.data() + (gated == Half::first ? row.size() / 2 : 0)) {}
};

template <class T, class F>
void each(tensor::View<const T> x, Half gated, tensor::View<T> y, F f) {
  simd::share(y.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      const Halves<T> half(x.row(n), gated);
      T* to = y.row(n).data();
      for (Index j = 0; j < y.cols; ++j)
        to[j] = static_cast<T>(f(static_cast<double>(half.a[j])) * static_cast<double>(half.b[j]));
    }
  });
}

/// The activation's own loop, which multiplies before it writes.
void by_kernel(Kernel* kernel, tensor::View<const float> x, Half gated, tensor::View<float> y) {
  const bool streamed = simd::is_streamed(y);
  simd::share(y.rows, x.size(), [&](Index first, Index end) {
    for (Index n = first; n < end; ++n) {
      const Halves<float> half(x.row(n), gated);
      kernel({half.a, half.b, y.row(n).data(), static_cast<std::size_t>(y.cols), streamed});
    }
  });
}

}  // namespace

template <>
void glu_cpu(tensor::View<const float> x, const GluParams& params, tensor::View<float> y) {
  if (Kernel* const kernel = kernel_of(params.gate.kind)) return by_kernel(kernel, x, params.gated, y);
  if (params.gate.kind == Kind::sigmoid)
    return each(x, params.gated, y, [](double v) { return sigmoid_for_float(v); });
  each(x, params.gated, y, [&params](double v) { return value(params.gate, v); });
}

template <>
void glu_cpu(tensor::View<const double> x, const GluParams& params, tensor::View<double> y) {
  each(x, params.gated, y, [&params](double v) { return value(params.gate, v); });
}

}  // namespace orrery::activation
