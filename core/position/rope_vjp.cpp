#include "core/position/rope_vjp.h"

#include "core/simd/share.h"
#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;
using tensor::View;

template <class T>
void rope_vjp(View<const T> g, View<const T> cos, View<const T> sin, RopeLayout layout, View<T> dx,
              Index first_column) {
  check_rope_shapes(g.rows, g.cols, cos.rows, cos.cols, first_column);
  if (g.empty()) return;
  const bool interleaved = layout == RopeLayout::interleaved;
  const Index pairs = cos.cols;

  simd::share(g.rows, g.size(), [&](Index first, Index end) {
    for (Index r = first; r < end; ++r) {
      const Index token = r % cos.rows;
      for (Index i = 0; i < pairs; ++i) {
        const Index a = first_column + (interleaved ? 2 * i : i);
        const Index b = interleaved ? a + 1 : a + pairs;
        const T c = cos(token, i), s = sin(token, i);
        const T ga = g(r, a), gb = g(r, b);
        dx(r, a) = c * ga + s * gb;
        dx(r, b) = c * gb - s * ga;
      }
      for (Index j = 0; j < first_column; ++j) dx(r, j) = g(r, j);
      for (Index j = first_column + 2 * pairs; j < g.cols; ++j) dx(r, j) = g(r, j);
    }
  });
}

template void rope_vjp(View<const float>, View<const float>, View<const float>, RopeLayout, View<float>,
                       Index);
template void rope_vjp(View<const double>, View<const double>, View<const double>, RopeLayout, View<double>,
                       Index);

std::vector<Index> rope_permutation(Index rotary_dim) {
  if (rotary_dim < 0 || rotary_dim % 2 != 0) {
    throw InvalidArgument(about("rotary_dim").found(rotary_dim).allowed("even, at least {}", 0));
  }
  std::vector<Index> from(static_cast<std::size_t>(rotary_dim));
  const std::size_t pairs = from.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    from[i] = static_cast<Index>(2 * i);
    from[i + pairs] = static_cast<Index>(2 * i + 1);
  }
  return from;
}

}  // namespace orrery::position
