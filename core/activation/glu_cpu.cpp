#include <algorithm>
#include <array>

#include "core/activation/for_float.h"
#include "core/activation/glu.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

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
#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work / 8)
  for (Index n = 0; n < y.rows; ++n) {
    const Halves<T> half(x.row(n), gated);
    T* to = y.row(n).data();
    for (Index j = 0; j < y.cols; ++j)
      to[j] = static_cast<T>(f(static_cast<double>(half.a[j])) * static_cast<double>(half.b[j]));
  }
}

/// The activation's own loop over a piece of a row that stays in the first cache, then the product.
void by_pieces(tensor::View<const float> x, const GluParams& params, tensor::View<float> y) {
  constexpr Index piece = 1024;
  simd::share(y.rows, x.size(), [&](Index first, Index end) {
    alignas(simd::cache_line) std::array<float, piece> activated;
    for (Index n = first; n < end; ++n) {
      const Halves<float> half(x.row(n), params.gated);
      float* to = y.row(n).data();
      for (Index from = 0; from < y.cols; from += piece) {
        const Index count = std::min(piece, y.cols - from);
        activation_cpu<float>({half.a + from, 1, count}, params.gate, {activated.data(), 1, count});
        for (Index j = 0; j < count; ++j)
          to[from + j] = activated[static_cast<std::size_t>(j)] * half.b[from + j];
      }
    }
  });
}

}  // namespace

template <>
void glu_cpu(tensor::View<const float> x, const GluParams& params, tensor::View<float> y) {
  if (is_rounded_before_the_product(params.gate.kind)) return by_pieces(x, params, y);
  if (params.gate.kind == Kind::sigmoid)
    return each(x, params.gated, y, [](double v) { return sigmoid_for_float(v); });
  each(x, params.gated, y, [&params](double v) { return value(params.gate, v); });
}

template <>
void glu_cpu(tensor::View<const double> x, const GluParams& params, tensor::View<double> y) {
  each(x, params.gated, y, [&params](double v) { return value(params.gate, v); });
}

}  // namespace orrery::activation
